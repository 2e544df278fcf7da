// Compiles after changes, one run at a time, beside the programs that run.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { compileArguments, ensureConsoleBuilt, node24, root, print } from '../prepare.mjs';

/** Compiles workspaces with what they refer to. Resolves to whether that worked; errors have been shown then. */
export async function compile(folders) {
  const compiler = spawn(node24, compileArguments(folders), { cwd: root, stdio: ['ignore', 'pipe', 2] });
  const [output, code] = await Promise.all([
    text(compiler.stdout),
    new Promise((resolve) => compiler.on('close', resolve)),
  ]);
  if (code !== 0) print(output.trim());
  else if (folders.includes('apps/console')) ensureConsoleBuilt();
  return code === 0;
}
