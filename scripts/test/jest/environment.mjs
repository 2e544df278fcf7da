// The environment of test files: the worker's own global object in place of one for each file, because what Node has loaded
// once for all files (runtime.mjs) makes objects of that one. What a file changes there is set back at its end.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { appendFileSync } from 'node:fs';
import { rememberWorkerState } from './worker-state.mjs';

/** Where test files keep what one worker needs once, such as a browser (libs/testing/src/kept-by-worker.ts). */
globalThis[Symbol.for('ringdown.kept-by-worker')] ??= new Map();

/** Frames of an error. Jest's runner sets 100, and each error that a service or a repeated assertion throws collects so many. */
const FRAMES = 25;

export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #restore = rememberWorkerState();
  #before = process.cpuUsage();
  #file;

  constructor({ projectConfig }, { testPath }) {
    this.#file = testPath;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest's runner wants this method; its result is for a runtime that uses contexts. */
  getVmContext() {
    return null;
  }

  async setup() {
    Error.stackTraceLimit = FRAMES;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#restore();
    this.#noteProcessorTime();
  }

  /** For the end of a run: what this worker needed for the file (jest-run.mjs). */
  #noteProcessorTime() {
    const notes = process.env.RINGDOWN_TEST_PROCESSOR_TIME;
    if (notes === undefined) return;
    const { user, system } = process.cpuUsage(this.#before);
    appendFileSync(notes, `${JSON.stringify({ file: this.#file, seconds: (user + system) / 1_000_000 })}\n`);
  }
}
