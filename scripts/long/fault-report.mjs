// Runs the long form of tests that break parts of a running system, and reads what they report.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, fail, node24, root } from '../prepare.mjs';

/** The reported rows of the tests whose path contains the pattern, and the exit status of the run. */
export function reportOf(pattern, env = {}) {
  ensureInstalled();
  ensureBuilt();
  ensureNatsServer();
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-faults-'));
  const report = join(folder, 'report');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status } = spawnSync(
    node24,
    ['--experimental-vm-modules', jest, '--maxWorkers=1', '--forceExit', '--testPathPatterns', pattern],
    { cwd: root, env: { ...process.env, RINGDOWN_FAULTS_REPORT: report, ...env }, stdio: ['ignore', 'ignore', 2] },
  );
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  rmSync(folder, { recursive: true });
  const rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  if (rows.length === 0) fail('no fault was run');
  return { rows, status };
}
