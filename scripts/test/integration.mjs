// `npm run nx -- integration`: the integration tests of all apps and libs against servers that are processes of this machine,
// in one run of jest. With the folder of a workspace (as its target `test:integration` names it) those of this one, which has been
// built.
import { ensureBuilt, ensureInstalled, ensureTestServers } from '../prepare.mjs';
import { runJest } from './jest-run.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { startSharedPostgres } from './shared-postgres.mjs';
import { runKind } from './tally.mjs';

const [workspace] = process.argv.slice(2);
ensureInstalled();
if (workspace === undefined) ensureBuilt();
ensureTestServers();
const temporary = memoryFolder();
const files = temporary === undefined ? {} : { TMPDIR: temporary };
const postgres = await startSharedPostgres(files);

await runKind('integration', (tally, folder) =>
  runJest(tally, {
    name: 'integration tests on processes',
    pattern: `${workspace ?? '(apps|libs)/[^/]+'}/dist/test/`,
    folder,
    workers: 3,
    env: { ...files, ...postgres.env },
  }),
);
await postgres.stop();
