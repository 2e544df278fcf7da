// The environment of test files: the worker's own global object in place of one for each file, because what Node has loaded
// once for all files (runtime.mjs) makes objects of that one. What a file changes there is set back at its end.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { rememberWorkerState } from './worker-state.mjs';

/** Where test files keep what one worker needs once, such as a browser (libs/testing/src/kept-by-worker.ts). */
globalThis[Symbol.for('ringdown.kept-by-worker')] ??= new Map();

export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern;
  #restore = rememberWorkerState();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest's runner wants this method; its result is for a runtime that uses contexts. */
  getVmContext() {
    return null;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.#restore();
  }
}
