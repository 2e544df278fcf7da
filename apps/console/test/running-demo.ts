import { programFile } from '@ringdown/testing/program-file';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { System } from './system.js';

const program = programFile('demo');

/** For `SITES_FILE`. */
export const DEMO_SITES = fileURLToPath(new URL('../../../demo/sites.json', import.meta.url));

/** The demo, with calls in progress until it is stopped. */
export class RunningDemo {
  private constructor(
    private readonly child: ChildProcess,
    private readonly exited: Promise<unknown>,
  ) {}

  /** Resolves when the past is filled in. Rejects with the output of the demo if it exits. `more`: further options of it. */
  static async start(system: System, hours: number, more: readonly string[] = []): Promise<RunningDemo> {
    const args = ['--to', system.feed, '--hours', String(hours), ...system.operatorArguments, ...more];
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: system.certificate };
    const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    const exited = once(child, 'exit');
    const filled = new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk) => {
        output += String(chunk);
        if (output.includes('All calls of the past are sent.')) resolve();
      });
    });
    const ended = exited.then(() => {
      throw new Error(`the demo ended: ${output}`);
    });
    await Promise.race([filled, ended]);
    ended.catch(() => undefined);
    return new RunningDemo(child, exited);
  }

  /** Exit code and signal, when all its calls have ended. */
  stop(): Promise<unknown> {
    this.child.kill('SIGINT');
    return this.exited;
  }
}
