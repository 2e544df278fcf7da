import { freePort } from '@ringdown/embedded';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { eventually } from './eventually.js';
import { programEnvironment } from './program-environment.js';
import { programFile } from './program-file.js';

const main = programFile('ringdown');

/** An entry of `first-users.json`. */
export interface FirstUser {
  readonly username: string;
  readonly password: string;
  readonly roles: readonly string[];
}

export interface LaunchedSystem {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Exit code. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * The one-process system as `npm start` runs it, with only these environment variables. `descriptors`: how many files and connections it
 * may open (`ulimit -n`).
 */
export function launch(env: Record<string, string>, descriptors?: number): LaunchedSystem {
  const clean = { ...programEnvironment(), HOME: process.env['HOME'] };
  // A database that a test has seeded would be taken for that of a version before, and copied first.
  const usual = { LISTEN_HOST: '127.0.0.1', INNER_PORT: '0', UPGRADE_COPY: 'off' };
  const options = { env: { ...clean, ...usual, ...env } };
  const limited = ['-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath, main];
  const child = descriptors === undefined ? spawn(process.execPath, [main], options) : spawn('sh', limited, options);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  // On `close` all output has been read, but not necessarily on `exit`.
  const ended = once(child, 'close').then(([code]: unknown[]) => (typeof code === 'number' ? code : null));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { process: child, stdout: () => output.stdout, stderr: () => output.stderr, ended, stop };
}

/** Rejects with the output of the system when it ends instead. */
export async function running(system: LaunchedSystem): Promise<void> {
  while (!system.stdout().includes('Ringdown is running')) {
    const code = await Promise.race([system.ended, new Promise((resolve) => setTimeout(resolve, 50, 'not yet'))]);
    if (code !== 'not yet') throw new Error(`the process ended with ${String(code)}: ${system.stderr()}`);
  }
}

/**
 * Waits until its standard error has this. What it has written before an answer, or before a line of its standard output, may
 * be read here after it.
 */
export async function logged({ stderr }: LaunchedSystem, pattern: RegExp): Promise<string> {
  const found = await eventually('the text', () => pattern.exec(stderr()) ?? undefined).catch(() => undefined);
  if (found === undefined) throw new Error(`the system has not written ${String(pattern)}: ${stderr()}`);
  return found[0];
}

export interface Ports {
  readonly PORT: string;
  readonly COLLECTOR_PORT: string;
}

export async function freePorts(): Promise<Ports> {
  return { PORT: String(await freePort()), COLLECTOR_PORT: String(await freePort()) };
}

export interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly text: string;
}

export interface RequestOptions {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent in chunks. */
  readonly body?: string | Buffer | Readable;
}

/** A client of a running system that trusts only its certificate, like the printed commands. */
export class SystemClient {
  readonly origin: string;
  readonly collector: string;
  private readonly agent: Agent;

  constructor(
    private readonly data: string,
    { PORT, COLLECTOR_PORT }: Ports,
    /** That of the default profile. */
    private readonly tokenPath = '/uc/token',
    /** Of a system with another certificate than the one it makes. */
    tls: { readonly ca: string; readonly servername?: string } = {
      ca: readFileSync(join(data, 'tls', 'cert.pem'), 'utf8'),
    },
  ) {
    this.origin = `https://localhost:${PORT}`;
    this.collector = `http://127.0.0.1:${COLLECTOR_PORT}`;
    this.agent = new Agent({ connect: tls });
  }

  async firstUser(name: string): Promise<FirstUser> {
    const users: FirstUser[] = JSON.parse(await readFile(join(this.data, 'first-users.json'), 'utf8'));
    const found = users.find(({ username }) => username === `${name}@example.test`);
    if (found === undefined) throw new Error(`first user not found: ${name}`);
    return found;
  }

  /** An access token; with a wrong password, throws the response of the token service. */
  async signIn(name: string, password?: string): Promise<string> {
    const user = await this.firstUser(name);
    return this.signInAs(user.username, password ?? user.password);
  }

  async signInAs(username: string, password: string): Promise<string> {
    const answer = await this.requestToken(username, password);
    const [, token] = /"access_token":"([^"]+)"/.exec(answer.text) ?? [];
    if (token === undefined) throw new Error(`${answer.status} ${answer.text}`);
    return token;
  }

  requestToken(username: string, password: string): Promise<Answer> {
    return this.request(this.tokenPath, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'password', username, password }).toString(),
    });
  }

  /** Sends a request to the web interface or the query API as the owner of the token. */
  as(token: string, path: string, options: RequestOptions = { method: 'GET' }): Promise<Answer> {
    return this.request(path, { ...options, headers: { authorization: `Bearer ${token}`, ...options.headers } });
  }

  /** A file. */
  async bytesAs(token: string, path: string): Promise<Buffer> {
    const headers = { authorization: `Bearer ${token}` };
    const { body } = await request(this.origin + path, { headers, dispatcher: this.agent });
    return Buffer.from(await body.arrayBuffer());
  }

  request(path: string, options: RequestOptions = { method: 'GET' }): Promise<Answer> {
    return this.answerOf(this.origin + path, options);
  }

  /** Posts to the diagnostics feed as a front end does. */
  post(body: string, path = '/Ringdown/RequestMessage'): Promise<Answer> {
    return this.postTo(this.collector + path, body);
  }

  /** Messages of calls, as a sender with `TRACE=on` sends them. */
  postMessages(frontEnd: string, messages: readonly object[]): Promise<Answer> {
    return this.postJson('TraceMessages', { v: 1, frontEnd, messages });
  }

  /** Posts a report of failed SIP requests, as senders do. */
  postSipFailures(report: object): Promise<Answer> {
    return this.postJson('SipFailures', report);
  }

  /** The same, if the feed has another address. */
  postTo(url: string, body: string): Promise<Answer> {
    return this.answerOf(url, { method: 'POST', headers: { 'content-type': 'text/xml' }, body });
  }

  private postJson(pathEnd: string, content: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(content);
    return this.answerOf(`${this.collector}/Ringdown/${pathEnd}`, { method: 'POST', headers, body });
  }

  stop(): Promise<void> {
    return this.agent.close();
  }

  private async answerOf(url: string, options: RequestOptions): Promise<Answer> {
    const { method, headers: sent = {}, body: content = null } = options;
    const { statusCode, headers, body } = await request(url, {
      method,
      headers: { ...sent },
      body: content,
      dispatcher: this.agent,
    });
    return { status: statusCode, headers, text: await body.text() };
  }
}
