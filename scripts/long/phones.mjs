// `npm run test:phones`: the calls of real phones (apps/ringdown/test/phones) in their whole form; `npm run test:all` the short one.
import { join } from 'node:path';
import { statusOfTests } from './long-test.mjs';
import { ensureBuilt, ensureInstalled, fail, root } from '../prepare.mjs';
import { ensureSipPlatforms } from '../test-servers.mjs';

ensureInstalled();
ensureBuilt();
ensureSipPlatforms();

const tests = join(root, 'apps/ringdown/dist/test/phones/*.{spec,long}.js');
const status = statusOfTests(['--forceExit', '--verbose', '--testMatch', tests]);
if (status !== 0) fail('a call was not reported as it went, see above');
