import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { findProgram } from '../find-program.js';

export interface ProxyProgramOptions {
  readonly command: 'haproxy' | 'caddy';
  /** The text of its file. */
  readonly config: string;
  /** It listens there when it has started. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}

const ARGUMENTS = {
  haproxy: (file: string) => ['-db', '-f', file],
  caddy: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/** A real balancer or edge in front of services, with a configuration as it is deployed. */
export class ProxyProgram {
  private output = '';

  private constructor(
    private readonly child: ChildProcess,
    /** Where it writes, for example its own authority. */
    readonly folder: string,
  ) {
    child.stderr
      ?.setEncoding('utf8')
      .on('data', (chunk: string) => (this.output = (this.output + chunk).slice(-4_000)));
  }

  static async start({ command, config, port, env }: ProxyProgramOptions): Promise<ProxyProgram> {
    const program = findProgram(command, `these tests need a real one (Debian: apt-get install ${command})`);
    const folder = mkdtempSync(join(tmpdir(), `ringdown-${command}-`));
    const file = join(folder, 'config');
    writeFileSync(file, config);
    const child = spawn(program, ARGUMENTS[command](file), {
      env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const made = new ProxyProgram(child, folder);
    try {
      await eventually(`${command} to listen`, () => made.listens(port));
    } catch (error) {
      await made.stop();
      throw error;
    }
    return made;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private listens(port: number): Promise<boolean> {
    if (this.child.exitCode !== null) throw new Error(`it ended at its start: ${this.output}`);
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      const end = (isUp: boolean): void => {
        socket.destroy();
        resolve(isUp);
      };
      socket.on('connect', () => end(true)).on('error', () => end(false));
    });
  }
}
