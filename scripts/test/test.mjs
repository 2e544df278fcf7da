// `npm test`: types, lint, format, unit tests, and each thread through the system once. `npm run test:all`: everything.
// Ends with "N passed, N failed". RINGDOWN_TEST_ALL=1 (what CI sets) leaves nothing out of the latter. Each kind of work is a target of the
// root (project.json), and can be run alone: `npm run nx -- unit`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNx } from '../nx/run-nx.mjs';
import { cleanCommit, markTested } from '../release/tested.mjs';
import { ensureBuilt, ensureInstalled, ensureTestBus, fail, print, root } from '../prepare.mjs';
import { ensureTestServers } from '../test-servers.mjs';
import { BusyProcessors } from './busy-processors.mjs';
import { keepDurations, printSlowest } from './durations.mjs';
import { ProcessorTime } from './processor-time.mjs';
import { headline, readCounts, Tally } from './tally.mjs';
import { describeWholeRuns, keepWholeRun, wholeRunsFile } from './whole-runs.mjs';

const CHECKS = ['lint-all', 'manifests', 'licences', 'expressions', 'format'];
/**
 * In this order, those of one line side by side. Attacks measure times and have the machine for themselves. Packages wait for the machines
 * that they install, and leave room for what the last line needs first (`docker`), and for what needs no containers.
 */
const QUICK = { minutes: 8, steps: [CHECKS, ['unit'], ['threads'], ['conformance']] };
const WHOLE = {
  minutes: 25,
  steps: [
    CHECKS,
    ['unit'],
    ['integration'],
    ['attacks'],
    ['docker', 'packages', 'black-box'],
    ['containers', 'compose', 'images'],
  ],
};
const LEFT_OUT = `
Left out of this quick run: the other integration tests, attacks, profile ms, packages, containers, compose, images. All of it: npm run test:all`;

const isWhole = process.argv[2] === '--all';
const { minutes, steps } = isWhole ? WHOLE : QUICK;
const startedAt = Date.now();
const commit = cleanCommit(root);
const processorTime = new ProcessorTime();

ensureInstalled();
const counts = mkdtempSync(join(tmpdir(), 'ringdown-counts-'));
const tally = new Tally();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort(signal));
processorTime.start();

headline('types');
ensureBuilt();
tally.count(true);
ensureTestBus();
if (isWhole) ensureTestServers();
for (const kinds of steps) {
  if (stopping.signal.aborted) break;
  const began = Date.now();
  const processors = new BusyProcessors();
  const selection = ['run-many', '--projects=ringdown', `--targets=${kinds.join(',')}`, '--parallel=3'];
  await runNx([...selection, '--exclude-task-dependencies', '--output-style=stream-without-prefixes'], {
    RINGDOWN_TEST_COUNTS: counts,
  });
  for (const each of readCounts(counts, kinds)) tally.add(each);
  tally.times.push({ kinds, seconds: (Date.now() - began) / 1_000, busy: processors.share() });
}
rmSync(counts, { recursive: true });
if (stopping.signal.aborted) fail(`interrupted by ${stopping.signal.reason}`);
keepDurations(tally.durations);
report();
// A run that leaves containers out, because no engine answers, is not the whole one.
if (isWhole && process.env.RINGDOWN_TEST_ALL === '1') {
  if (tally.failed === 0) markTested(root, commit);
  const { passed, failed, unsteady: again } = tally;
  const run = {
    at: new Date().toISOString(),
    commit,
    seconds: (Date.now() - startedAt) / 1_000,
    passed,
    failed,
    again,
  };
  print(`\n${describeWholeRuns(keepWholeRun(wholeRunsFile(), run))}`);
}
tally.end();

function report() {
  printSlowest(tally.durations);
  const kinds = processorTime.end();
  const time = kinds.map(({ kind, seconds, processes }) => `  ${inMinutes(seconds)}  ${kind} (${processes} processes)`);
  if (time.length > 0) print(`\nprocessor time:\n${time.join('\n')}`);
  const times = tally.times.map(
    ({ kinds, seconds, busy }) =>
      `  ${inMinutes(seconds)}  ${kinds.join(', ')} (processors ${Math.round(busy * 100)} % busy)`,
  );
  print(`\ntime:\n${times.join('\n')}`);
  print(`  ${inMinutes((Date.now() - startedAt) / 1_000)}  in all; at most ${minutes} minutes are wanted on two cores`);
  if (!isWhole) print(LEFT_OUT);
}

function inMinutes(seconds) {
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60)).padStart(3)} min ${String(whole % 60).padStart(2, '0')} s`;
}
