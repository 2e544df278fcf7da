// `npm run test:some -- libs/settings/src/read-settings.spec.ts`: builds what these tests need and runs them. Folders, files
// and patterns of paths are taken, and the options of jest.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, ensureTestBus, node24, root, workspaceFolders } from '../prepare.mjs';
import { startSharedPostgres } from './shared-postgres.mjs';
import { testEnv } from './tally.mjs';

const args = process.argv.slice(2);
const patterns = args.filter((arg) => !arg.startsWith('-'));
const workspaces = workspaceFolders();

/** What runs is the compiled file (docs/adr/0003). */
function compiledPath(pattern) {
  return pattern.replace(/^((?:apps|libs|tests)\/[^/]+)\/(src|test)\b/, '$1/dist/$2').replace(/\.tsx?$/, '.js');
}

const missing = patterns.filter((pattern) => /^[^*+()[\]]+\.tsx?$/.test(pattern) && !existsSync(join(root, pattern)));
if (missing.length > 0) {
  console.error(`no such file: ${missing.join(', ')}`);
  process.exit(1);
}

const folders = patterns.map((pattern) => workspaces.find((folder) => `${pattern}/`.startsWith(`${folder}/`)));
const isKnown = patterns.length > 0 && folders.every((folder) => folder !== undefined);
const isUnit = isKnown && patterns.every((pattern) => /^[^/]+\/[^/]+\/(dist\/)?src\//.test(pattern));

ensureInstalled();
// A pattern may match tests of any workspace, and integration tests may start any program.
ensureBuilt(isUnit ? [...new Set(folders)] : []);
if (!isUnit) ensureTestBus();
const postgres = isUnit ? undefined : await startSharedPostgres();
const jest = join(root, 'node_modules/jest/bin/jest.js');
const nodeOptions = [process.env.NODE_OPTIONS, testEnv.NODE_OPTIONS].filter(Boolean).join(' ');
const { status } = spawnSync(node24, [jest, ...args.map(compiledPath)], {
  cwd: root,
  env: { ...testEnv, ...postgres?.env, NODE_OPTIONS: nodeOptions },
  stdio: 'inherit',
});
await postgres?.stop();
process.exitCode = status ?? 1;
