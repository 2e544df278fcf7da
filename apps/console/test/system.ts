import { freePort } from '@ringdown/testing/embedded-servers';
import { seedDatabase } from '@ringdown/testing/servers/postgres-template';
import { programEnvironment } from '@ringdown/testing/program-environment';
import { programFile } from '@ringdown/testing/program-file';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = programFile('ringdown');

export interface User {
  readonly username: string;
  readonly password: string;
}

/** By name; an object is the content of a JSON file that the setting names. */
export type Settings = Readonly<Record<string, string | object>>;

function environmentOf(settings: Settings, folder: string): Record<string, string> {
  const written = (name: string, content: object): string => {
    const file = join(folder, `${name.toLowerCase()}.json`);
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const entries = Object.entries(settings).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : written(name, value)] as const;
  });
  return Object.fromEntries(entries);
}

/** The system of the console, as `npm start` runs it. It may be stopped and started again. */
export class System {
  private child: ChildProcess | undefined;
  private written = '';

  private constructor(
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
    readonly origin: string,
    readonly feed: string,
  ) {}

  static async start(settings: Settings = {}): Promise<System> {
    const [web, feed] = [await freePort(), await freePort()];
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-console-'));
    await seedDatabase(join(folder, 'database'));
    const own = environmentOf(settings, folder);
    const env = { PORT: `${web}`, COLLECTOR_PORT: `${feed}`, INNER_PORT: '0', LISTEN_HOST: '127.0.0.1', ...own };
    const system = new System(folder, env, `https://localhost:${web}`, `http://127.0.0.1:${feed}`);
    await system.resume();
    return system;
  }

  /** Rejects with the output of the system if it exits. */
  async resume(): Promise<void> {
    const { HOME } = process.env;
    const env = { ...programEnvironment(), HOME, ...this.env, DATA_DIR: this.folder };
    const child = spawn(process.execPath, [main], { env });
    this.child = child;
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
      this.written += String(chunk);
    });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`the system ended: ${stderr}`);
    });
    const running = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        this.written += String(chunk);
        if (String(chunk).includes('Ringdown is running')) resolve();
      });
    });
    await Promise.race([running, ended]);
    ended.catch(() => undefined);
  }

  /** Arguments of the demo, with which it creates its alert rules. */
  get operatorArguments(): readonly string[] {
    return ['--origin', this.origin, '--users', join(this.folder, 'first-users.json')];
  }

  get certificate(): string {
    return join(this.folder, 'tls', 'cert.pem');
  }

  /** Everything that it has printed and logged. */
  get log(): string {
    return this.written;
  }

  async pause(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  async stop(): Promise<void> {
    await this.pause();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** One of the users made at first start: `alice` and `bob` have no role, `carol` is an operator. */
  user(name: string): User {
    const users: readonly User[] = JSON.parse(readFileSync(join(this.folder, 'first-users.json'), 'utf8'));
    const found = users.find(({ username }) => username.startsWith(`${name}@`));
    if (found === undefined) throw new Error(`no first user ${name}`);
    return found;
  }

  /** Stores a photo (PNG) of a first user. */
  keepPhoto(name: string, png: Buffer): void {
    const photos = join(this.folder, 'photos');
    mkdirSync(photos, { recursive: true });
    writeFileSync(join(photos, `${this.user(name).username}.png`), png);
  }

  /** Posts records as a front end does. */
  async post(...records: readonly string[]): Promise<void> {
    for (const body of records) {
      const headers = { 'content-type': 'text/xml' };
      const answer = await fetch(`${this.feed}/Ringdown/RequestMessage`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    }
  }

  /** Posts captured messages, as a sender with `TRACE=on` does. */
  async postMessages(messages: readonly object[]): Promise<void> {
    await this.postReport('TraceMessages', { v: 1, frontEnd: 'edge-1', messages });
  }

  /** Posts how often SIP requests outside of calls failed, as a sender does. */
  async postSipFailures(failures: readonly object[]): Promise<void> {
    await this.postReport('SipFailures', { v: 1, id: randomUUID(), frontEnd: 'edge-1', failures });
  }

  private async postReport(kind: string, report: object): Promise<void> {
    const body = JSON.stringify(report);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.feed}/Ringdown/${kind}`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}
