import { freePort } from '@ringdown/testing/embedded-servers';
import { eventually } from '@ringdown/testing/eventually';
import { findProgram } from '@ringdown/testing/find-program';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';

/** A message that the server has accepted. */
export interface AcceptedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly tls: boolean;
  readonly user: string | null;
  /** Headers and body. */
  readonly content: string;
}

export interface MailServerOptions {
  /** Where it writes what it accepts. */
  readonly folder: string;
  readonly password: string;
  /** Options of aiosmtpd about TLS. */
  readonly tls?: readonly string[];
}

const MAILBOX = fileURLToPath(new URL('../../test/mailbox.py', import.meta.url));
const GREETING_MS = 5_000;
const ADVICE = 'these tests need a real mail server. Install it (Debian: apt-get install python3-aiosmtpd)';

/**
 * aiosmtpd of Debian with the handler `mailbox.py`: it refuses `refused@…`, is slow with `slow@…`, and keeps the first
 * message to `unconfirmed@…` without a reply.
 */
export class MailServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly options: MailServerOptions,
    readonly port: number,
  ) {}

  static async create(options: MailServerOptions): Promise<MailServer> {
    return new MailServer(options, await freePort());
  }

  /** Starts it again if it ends by itself: under load, its port may belong to a connection of another program for a while. */
  async start(): Promise<void> {
    await eventually('the mail server', async () => {
      if (!isRunning(this.child)) this.child = this.spawned();
      return this.greets();
    });
  }

  private spawned(): ChildProcess {
    const { password, tls = [] } = this.options;
    const program = findProgram('aiosmtpd', ADVICE);
    const listen = ['-n', '-l', `127.0.0.1:${this.port}`, '-c', 'mailbox.Mailbox'];
    const env = { ...process.env, PYTHONPATH: dirname(MAILBOX), PYTHONDONTWRITEBYTECODE: '1' };
    return spawn(program, [...listen, ...tls, this.file, password], { stdio: 'ignore', env });
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    if (!isRunning(child)) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** In the order of their arrival. */
  get accepted(): readonly AcceptedMail[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').trim().split('\n');
    return lines.map((line): AcceptedMail => JSON.parse(line));
  }

  /** Whether it is aiosmtpd that listens, and not another program that got the port. */
  private greets(): Promise<boolean> {
    const [option, certificate = ''] = this.options.tls ?? [];
    const { port } = this;
    const socket =
      option === '--smtpscert'
        ? connectTls({ host: '127.0.0.1', port, servername: 'localhost', ca: readFileSync(certificate) })
        : connect(port, '127.0.0.1');
    return new Promise((resolve) => {
      const end = (isGreeting: boolean): void => {
        socket.destroy();
        resolve(isGreeting);
      };
      socket.setTimeout(GREETING_MS, () => end(false));
      socket.once('data', (greeting) => end(greeting.includes('Python SMTP')));
      socket.on('error', () => end(false)).on('close', () => end(false));
    });
  }

  private get file(): string {
    return join(this.options.folder, `${this.port}.jsonl`);
  }
}

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** The value of a header, unfolded. */
export function mailHeader({ content }: AcceptedMail, name: string): string | undefined {
  const [head = ''] = content.split(/\r?\n\r?\n/, 1);
  const lines = head.replaceAll(/\r?\n[\t ]+/g, ' ').split(/\r?\n/);
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}
