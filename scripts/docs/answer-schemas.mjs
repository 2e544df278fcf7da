// `npm run docs:types`: writes the schemas of what the query API answers, in docs/openapi.yaml, from the types of libs/answers.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureInstalled, node24, quietly, root } from '../prepare.mjs';

ensureInstalled();
quietly('the build', node24, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', 'libs/answers']);
const program = join(root, 'libs', 'answers', 'dist', 'test', 'write-answer-schemas.js');
process.exit(spawnSync(node24, [program], { cwd: root, stdio: 'inherit' }).status ?? 1);
