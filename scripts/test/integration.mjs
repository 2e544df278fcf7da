// `npm run nx -- integration`: the integration tests of all apps and libs against servers that are processes of this machine,
// in one run of jest. With the folder of a workspace (as its target `test:integration` names it) those of this one, which has been
// built.
import { ensureBuilt, ensureBundled, ensureInstalled, ensureTestBus } from '../prepare.mjs';
import { ensureTestServers } from '../test-servers.mjs';
import { runServerTests } from './server-tests.mjs';

const [workspace] = process.argv.slice(2);
ensureInstalled();
if (workspace === undefined) ensureBuilt();
else ensureBundled();
ensureTestBus();
ensureTestServers();
await runServerTests('integration', {
  name: 'integration tests on processes',
  pattern: `${workspace ?? '(apps|libs)/[^/]+'}/dist/test/`,
});
