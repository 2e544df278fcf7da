// `npm run bus:users`: writes the permissions of each service on the bus for containers, from the table in libs/embedded.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node24, quietly, root } from './prepare.mjs';

ensureInstalled();
ensureBuilt();
const program = join(root, 'libs', 'embedded', 'dist', 'src', 'users-config-main.js');
quietly('writing deploy/bus/users.conf', node24, [program, join(root, 'deploy', 'bus', 'users.conf')]);
