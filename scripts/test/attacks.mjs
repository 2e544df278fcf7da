// `npm run nx -- attacks`: the attacks of tests/attacks in their short form; `npm run test:attacks` has the whole form.
import { ensureBuilt, ensureInstalled, ensureTestBus } from '../prepare.mjs';
import { ensureSlapd } from '../test-servers.mjs';
import { runJest } from './jest-run.mjs';
import { runKind } from './tally.mjs';

/** Most of them wait: for what must not come, and for a system that starts. */
const WORKERS = 3;

ensureInstalled();
ensureBuilt();
ensureTestBus();
ensureSlapd();

await runKind('attacks', (tally, folder) =>
  runJest(tally, { name: 'attacks', pattern: 'tests/attacks/dist/test/', folder, workers: WORKERS }),
);
