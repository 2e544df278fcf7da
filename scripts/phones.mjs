// `npm run test:phones`: the calls of real phones (apps/ringdown/test/phones) in their whole form; `npm test` runs the short one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureSipPlatforms, fail, node24, root } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
ensureSipPlatforms();

const { status } = spawnSync(
  node24,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--maxWorkers=1',
    '--forceExit',
    '--verbose',
    '--testMatch',
    join(root, 'apps/ringdown/dist/test/phones/*.{spec,long}.js'),
  ],
  { cwd: root, stdio: 'inherit' },
);
if (status !== 0) fail('a call was not reported as it went, see above');
