// `npm run bus:users`: writes the permissions of each service on the bus for containers, from the table in libs/embedded.
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, node24, programFile, quietly, root } from '../prepare.mjs';

ensureInstalled();
ensureBuilt();
const program = programFile('embedded/users-config');
quietly('writing deploy/bus/users.conf', node24, [program, join(root, 'deploy', 'bus', 'users.conf')]);
