// Counts the tests of one kind of work (unit, attacks, …), each of which is a target of Nx and a program of its own.
// `npm test` names a folder in RINGDOWN_TEST_COUNTS, where each kind leaves its counts.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, print } from '../prepare.mjs';

/** RINGDOWN_TEST_ALL=1 (what CI sets) leaves nothing out: it also gets a Docker engine where none answers. */
export const all = process.env.RINGDOWN_TEST_ALL === '1';

export const testEnv = {
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
  NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
};

export function headline(text) {
  print(`\n== ${text}`);
}

export class Tally {
  passed = 0;
  failed = 0;
  /** Test files that failed and passed when they ran again. */
  unsteady = [];
  /** What failed, by name, for the end of the output. */
  broken = [];
  /** Of test files: `{ file, run, seconds }`. */
  durations = [];
  /** Of steps: `{ kinds, seconds, busy }`. */
  times = [];

  add({ passed, failed, unsteady = [], broken = [], durations = [] }) {
    this.passed += passed;
    this.failed += failed;
    this.unsteady.push(...unsteady);
    this.broken.push(...broken);
    this.durations.push(...durations);
  }

  /** Counts something that is not a jest run as one test. Returns whether it passed. */
  count(isPassed) {
    if (isPassed) this.passed++;
    else this.failed++;
    return isPassed;
  }

  /** Counts a command as one test. */
  check(name, command, args, options = {}) {
    headline(name);
    const { status } = spawnSync(command, args, { cwd: root, env: testEnv, stdio: ['ignore', 2, 2], ...options });
    if (status !== 0) this.broken.push(name);
    return this.count(status === 0);
  }

  /** Ends the output with the counts, and the process with a code that says whether all passed. */
  end() {
    const { passed, failed, unsteady, broken } = this;
    if (broken.length > 0) print(`\nfailed:\n  ${broken.join('\n  ')}`);
    if (unsteady.length > 0) print(`\nfailed at first, passed when run again:\n  ${unsteady.join('\n  ')}`);
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
    if (failed > 0) process.exitCode = 1;
  }
}

/** Runs one kind of work, which counts into a tally and has a folder for its files, and ends with the counts. */
export async function runKind(kind, work) {
  const tally = new Tally();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-test-'));
  try {
    await work(tally, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const counts = process.env.RINGDOWN_TEST_COUNTS;
  if (counts) writeFileSync(join(counts, `${kind}.json`), JSON.stringify(tally));
  tally.end();
}

/** The counts that kinds have left in a folder; a kind that left none has failed. */
export function readCounts(folder, kinds) {
  const there = readdirSync(folder);
  return kinds.map((kind) => {
    if (there.includes(`${kind}.json`)) return JSON.parse(readFileSync(join(folder, `${kind}.json`), 'utf8'));
    print(`${kind} ended without counts`);
    return { passed: 0, failed: 1 };
  });
}
