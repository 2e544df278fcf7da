// `npm test`: types, lint, format, unit, integration and black-box tests. Ends with "N passed, N failed".
// RINGDOWN_TEST_ALL=1 (what CI sets) leaves nothing out. Each kind of work is a target of the root (project.json), and can be run
// alone: `npm run nx -- unit`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runNx } from './nx/run-nx.mjs';
import { ensureBuilt, ensureInstalled, ensureTestServers, fail } from './prepare.mjs';
import { headline, readCounts, Tally } from './test/tally.mjs';

/** In this order, those of one line side by side. What tests real servers has the machine for itself. */
const STEPS = [
  ['lint-all', 'manifests', 'expressions', 'format'],
  ['unit'],
  ['integration'],
  ['attacks'],
  ['black-box'],
  ['docker'],
  ['containers'],
  ['compose'],
];

ensureInstalled();
const counts = mkdtempSync(join(tmpdir(), 'ringdown-counts-'));
const tally = new Tally();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort(signal));

headline('types');
ensureBuilt();
tally.count(true);
ensureTestServers();
for (const kinds of STEPS) {
  if (stopping.signal.aborted) break;
  const selection = ['run-many', '--projects=ringdown', `--targets=${kinds.join(',')}`, '--parallel=2'];
  await runNx([...selection, '--exclude-task-dependencies', '--output-style=stream-without-prefixes'], {
    RINGDOWN_TEST_COUNTS: counts,
  });
  for (const each of readCounts(counts, kinds)) tally.add(each);
}
rmSync(counts, { recursive: true });
if (stopping.signal.aborted) fail(`interrupted by ${stopping.signal.reason}`);
tally.end();
