// `npm run test:faults`: runs the faults of apps/aggregator/test/faults in their long form, and prints a table of the records.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, fail, node24, root } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
ensureNatsServer();

const folder = mkdtempSync(join(tmpdir(), 'ringdown-faults-'));
const report = join(folder, 'report');
const { status } = spawnSync(
  node24,
  [
    '--experimental-vm-modules',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--maxWorkers=1',
    '--testPathPatterns',
    `aggregator/dist/test/faults/${process.argv[2] ?? ''}`,
  ],
  {
    cwd: root,
    env: { ...process.env, RINGDOWN_FAULTS_REPORT: report, RINGDOWN_OUTAGE_SECONDS: '60' },
    stdio: ['ignore', 'ignore', 2],
  },
);
const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
rmSync(folder, { recursive: true });
const rows = text
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
if (rows.length === 0) fail('no fault was run');

console.log('| Fault | Tries | Acknowledged | Lost | Doubled |');
console.log('| --- | ---: | ---: | ---: | ---: |');
const byName = rows.toSorted((a, b) => (a.fault < b.fault ? -1 : 1));
for (const { fault, tries, acknowledged, lost, doubled } of byName) {
  console.log(`| ${fault} | ${tries} | ${acknowledged} | ${lost} | ${doubled} |`);
}
if (status !== 0) fail('a fault lost records or failed, see above');
