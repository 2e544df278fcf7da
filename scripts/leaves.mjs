// `npm run test:leaves`: compares calls with generated records of the schema versions 1.0, A, C and D in the long form, element by
// element. `npm run test:leaves -- 2000 11` generates 2,000 records of each version with seed 11.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureNatsServer, node24, root } from './prepare.mjs';

const [records = '500', seed = '7'] = process.argv.slice(2);

ensureInstalled();
ensureBuilt();
ensureNatsServer();

const { status } = spawnSync(
  node24,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--maxWorkers=1',
    '--testTimeout=600000',
    '--testPathPatterns',
    'aggregator/dist/test/every-leaf',
  ],
  { cwd: root, env: { ...process.env, LEAF_RECORDS: records, LEAF_SEED: seed }, stdio: 'inherit' },
);
process.exit(status ?? 1);
