// `npm run nx -- unit`: the unit tests of all workspaces, in one run of jest. With the folder of a workspace (as its target
// `test` names it) those of this one, which has been built.
import { ensureBuilt, ensureInstalled, ensureTestBus } from '../prepare.mjs';
import { runJest } from './jest-run.mjs';
import { runKind } from './tally.mjs';

/** Jest's own number for two cores is one. */
const WORKERS = 3;
const [workspace] = process.argv.slice(2);
ensureInstalled();
if (workspace === undefined) ensureBuilt();
// Those of tests/deployment try the files of the bus with it.
ensureTestBus();

await runKind('unit', (tally, folder) =>
  runJest(tally, {
    name: 'unit tests',
    pattern: `${workspace ?? '(apps|libs|tests)/[^/]+'}/dist/src/`,
    folder,
    workers: WORKERS,
  }),
);
