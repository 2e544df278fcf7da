import { freePort } from '@ringdown/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { programEnvironment } from './program-environment.js';

export interface ServiceProcessOptions {
  /** Its compiled program. */
  readonly main: string;
  /** Part of the log line that it writes when it is ready. */
  readonly running: string;
  /** Its whole environment except the ports and the PATH. */
  readonly env: Readonly<Record<string, string>>;
  /** Setting with the port of its listener. */
  readonly portSetting: string;
}

/** One line of its log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
}

/**
 * A service in a process of its own, as it is deployed. It can be killed, and uses the same ports at the next start.
 */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private partialLine = '';
  private readonly lines: string[] = [];
  /** Output that is not a line of the log: why a start failed. */
  private otherLines: readonly string[] = [];

  private constructor(
    readonly port: number,
    private readonly innerPort: number,
    private readonly options: ServiceProcessOptions,
  ) {}

  static async start(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const service = new ServiceProcess(await freePort(), await freePort(), options);
    await service.launch();
    return service;
  }

  get base(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Undefined after its end. */
  get pid(): number | undefined {
    return this.child?.exitCode === null && this.child.signalCode === null ? this.child.pid : undefined;
  }

  /** All logged lines of that level (pino's: 40 is a warning) and above, over all starts. */
  log(level: number): readonly LogLine[] {
    const lines = this.lines.map((line): LogLine => JSON.parse(line));
    return lines.filter((line) => line.level >= level);
  }

  /** Resolves when it is ready. Rejects with its last output when it does not start. */
  async launch(): Promise<void> {
    const { main, env, portSetting, running } = this.options;
    const ports = { [portSetting]: String(this.port), INNER_PORT: String(this.innerPort), INNER_HOST: '127.0.0.1' };
    const child = spawn(process.execPath, [main], {
      env: { ...programEnvironment(), ...ports, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child = child;
    this.partialLine = '';
    const before = this.lines.length;
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => this.onOutput(chunk));
    while (!this.lines.slice(before).some((line) => line.includes(running))) {
      if (this.pid === undefined)
        throw new Error(
          `the process ended: ${[...this.lines.slice(-5), ...this.otherLines, this.partialLine].join('\n')}`,
        );
      await Promise.race([once(child.stderr, 'data'), once(child, 'exit')]);
    }
  }

  /** Ends it like a crash. */
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

  /** What it reports as its readiness. */
  async readiness(): Promise<unknown> {
    return (await fetch(`http://127.0.0.1:${this.innerPort}/health/ready`)).json();
  }

  private onOutput(chunk: string): void {
    const lines = (this.partialLine + chunk).split('\n');
    this.partialLine = lines.pop() ?? '';
    this.lines.push(...lines.filter((line) => line.startsWith('{')));
    this.otherLines = [...this.otherLines, ...lines.filter((line) => !line.startsWith('{'))].slice(-5);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === undefined || this.pid === undefined) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
