// How long each test file took in the last run here: it orders the next one. A new clone has those of durations.json, a
// copy of what a whole run has kept.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, print } from '../prepare.mjs';

const KEPT = join(root, '.cache', 'test-durations.json');
const IN_CLONE = join(root, 'scripts', 'test', 'durations.json');
const SLOWEST = 10;

/** Seconds by the path of the compiled file from the root. */
export function knownDurations() {
  return { ...readDurations(IN_CLONE), ...readDurations(KEPT) };
}

function readDurations(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** `durations` of a tally; a file of several runs counts with its longest. */
export function keepDurations(durations) {
  const longest = {};
  for (const { file, seconds } of durations) longest[file] = Math.max(seconds, longest[file] ?? 0);
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, JSON.stringify({ ...readDurations(KEPT), ...longest }));
}

export function printSlowest(durations) {
  print(`\nslowest files:\n${mostOf(durations, 'seconds')}`);
  print(`\nfiles with the most processor time of jest:\n${mostOf(durations, 'processorSeconds')}`);
}

function mostOf(durations, key) {
  const most = durations.toSorted((a, b) => b[key] - a[key]).slice(0, SLOWEST);
  return most.map((each) => `  ${each[key].toFixed(1).padStart(6)} s  ${each.file} (${each.run})`).join('\n');
}
