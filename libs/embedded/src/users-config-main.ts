import { writeFileSync } from 'node:fs';
import { deployedUsers } from './users-config.js';

// Program of `npm run bus:users`: writes to the given file.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: users-config-main FILE');
writeFileSync(file, deployedUsers());
