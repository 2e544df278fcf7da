// `npm run test:attacks`: runs the attacks of tests/attacks in their long form, and prints a table of the results.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, fail, node24, root } from '../prepare.mjs';
import { ensureSlapd } from '../test-servers.mjs';

ensureInstalled();
ensureBuilt();
ensureNatsServer();
ensureSlapd();

const folder = mkdtempSync(join(tmpdir(), 'ringdown-attacks-'));
const report = join(folder, 'report.json');
const args = [
  '--experimental-vm-modules',
  join(root, 'node_modules/jest/bin/jest.js'),
  '--json',
  `--outputFile=${report}`,
];
const selection = [
  '--maxWorkers=1',
  '--forceExit',
  '--testPathPatterns',
  `tests/attacks/dist/test/${process.argv[2] ?? ''}`,
];
spawnSync(node24, [...args, ...selection], {
  cwd: root,
  env: { ...process.env, RINGDOWN_ATTACKS: 'whole' },
  stdio: ['ignore', 'ignore', 2],
});
const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
rmSync(folder, { recursive: true });
if (text === '') fail('no attack was run');
const { testResults } = JSON.parse(text);

let held = 0;
let broken = 0;
for (const file of testResults) {
  if (file.assertionResults.length === 0) {
    broken++;
    console.log(`\n${file.name}\n  did not run: ${file.message.split('\n')[0]}`);
  }
  let topic = '';
  for (const { ancestorTitles, title, status } of file.assertionResults) {
    const next = ancestorTitles.join(', ');
    if (next !== topic) console.log(`\n${(topic = next)}`);
    if (status === 'passed') held++;
    else broken++;
    console.log(`  ${status === 'passed' ? 'held  ' : 'BROKEN'}  ${title}`);
  }
}
console.log(`\n${held} attacks held, ${broken} did not`);
if (held === 0) fail('no attack ran');
if (broken > 0) process.exitCode = 1;
