// `npm run docs:types`: writes the types of what the console reads (apps/console/src/api/answers.ts) from docs/openapi.yaml.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, node24, quietly, root } from '../prepare.mjs';

ensureInstalled();
// Not the console, which may wait for the new types.
quietly('the build', node24, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', 'apps/ringdown']);
const program = join(root, 'apps', 'ringdown', 'dist', 'test', 'console-types', 'write-answer-types.js');
process.exit(spawnSync(node24, [program], { cwd: root, stdio: 'inherit' }).status ?? 1);
