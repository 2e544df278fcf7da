import { freePort } from '@ringdown/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.js', import.meta.url));

/** A collector in a process of its own, as it is deployed. It can be killed, and keeps its ports for the next one. */
export class CollectorProcess {
  private child: ChildProcess | undefined;
  private said = '';

  private constructor(
    readonly port: number,
    private readonly innerPort: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<CollectorProcess> {
    const collector = new CollectorProcess(await freePort(), await freePort(), env);
    await collector.launch();
    return collector;
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Undefined once it has ended by itself or been ended. */
  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  /** Resolves when it takes records. Rejects with its last words when it does not come up. */
  async launch(): Promise<void> {
    const ports = { COLLECTOR_PORT: String(this.port), INNER_PORT: String(this.innerPort) };
    const own = { PATH: process.env['PATH'], COLLECTOR_HOST: '127.0.0.1', INNER_HOST: '127.0.0.1' };
    const child = spawn(process.execPath, [main], {
      env: { ...own, ...ports, ...this.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    this.said = '';
    child.stderr.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-4_000)));
    while (!this.said.includes('collector is running')) {
      if (this.pid === undefined) throw new Error(`the collector ended: ${this.said}`);
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
    }
  }

  /** Ends it as a crash would. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.end('SIGTERM');
  }

  /** The value of one line of its metrics. */
  async metric(name: string): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.innerPort}/metrics`)).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return line === undefined ? 0 : Number(line.slice(name.length));
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || this.pid === undefined) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
}
