// Runs tests in their long form, one after the other.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, node24, root } from '../prepare.mjs';

/** The exit status of Jest with these options. */
export function statusOfTests(options, env = {}) {
  const { status } = spawnSync(
    node24,
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      join(root, 'node_modules/jest/bin/jest.js'),
      '--maxWorkers=1',
      ...options,
    ],
    { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' },
  );
  return status;
}

/** The tests whose path contains the pattern; ends the process with their status. */
export function runLongTest(pattern, env) {
  ensureInstalled();
  ensureBuilt();
  ensureNatsServer();
  process.exit(statusOfTests(['--testTimeout=600000', '--testPathPatterns', pattern], env) ?? 1);
}
