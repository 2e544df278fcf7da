// The last whole runs of the tests on this machine, in the user's cache: of which commit, how long, and what had to run again. One run
// cannot show that tests are steady, ten in a row can; CI clones anew each time, so a file of the checkout would forget them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const KEPT = 20;

export function wholeRunsFile(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ringdown', 'whole-runs.json');
}

/** `run`: `{ at, commit, seconds, passed, failed, again }`; `again`: files that failed and passed when they ran again. Returns all that are kept. */
export function keepWholeRun(file, run) {
  const runs = [...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []), run].slice(-KEPT);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(runs, null, 1));
  return runs;
}

/** The runs as lines, and how many of the last ones in a row had no failure. */
export function describeWholeRuns(runs) {
  const lines = runs.map(
    ({ at, commit, seconds, passed, failed, again }) =>
      `  ${at.slice(0, 16).replace('T', ' ')}  ${(commit ?? 'changed').slice(0, 8)}  ${Math.floor(seconds / 60)} min ${String(Math.round(seconds) % 60).padStart(2, '0')} s` +
      `  ${passed} passed, ${failed} failed${again.length > 0 ? `, again: ${again.join(', ')}` : ''}`,
  );
  const row = runs.slice(runs.findLastIndex(({ failed }) => failed > 0) + 1);
  const again = row.reduce((sum, run) => sum + run.again.length, 0);
  return `whole runs on this machine:\n${lines.join('\n')}\n  the last ${row.length} without a failure, ${again} files were run again`;
}
