// A program of ours in a process of its own that can be started again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { waitingPollsFlags } from '../node-flags.mjs';
import { node24, root, print } from '../prepare.mjs';

export class DevProgram {
  #child;
  #isStopping = false;

  /** `name` is that of its app; `folders` are the workspaces that it is made of. */
  constructor({ name, folders, env, inspectPort }) {
    this.name = name;
    this.folders = folders;
    this.env = env;
    this.flags = ['--enable-source-maps', ...waitingPollsFlags];
    if (inspectPort !== undefined) this.flags.push(`--inspect=127.0.0.1:${inspectPort}`);
  }

  start() {
    const program = join(root, 'apps', this.name, 'dist', 'src', 'main.js');
    const child = spawn(node24, [...this.flags, program], {
      cwd: root,
      env: this.env,
      // Nothing is sent over the channel: when it breaks, the program knows that we were killed.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.on('exit', (code, signal) => {
      this.#child = undefined;
      if (this.#isStopping) return;
      print(`dev: ${this.name} ended (${signal ?? `exit code ${code}`}); it starts again after the next change`);
    });
  }

  /** Resolves when it has stopped in order; it ends itself when that takes long. */
  async stop() {
    const child = this.#child;
    if (child === undefined) return;
    this.#isStopping = true;
    child.kill('SIGTERM');
    await once(child, 'exit');
    this.#isStopping = false;
  }

  async restart() {
    await this.stop();
    this.start();
  }
}
