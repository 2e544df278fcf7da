import { eventually, findProgram, freePort } from '@ringdown/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
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

  async start(): Promise<void> {
    const { password, tls = [] } = this.options;
    const program = findProgram('aiosmtpd', ADVICE);
    const listen = ['-n', '-l', `127.0.0.1:${this.port}`, '-c', 'mailbox.Mailbox'];
    const env = { ...process.env, PYTHONPATH: dirname(MAILBOX), PYTHONDONTWRITEBYTECODE: '1' };
    this.child = spawn(program, [...listen, ...tls, this.file, password], { stdio: 'ignore', env });
    await eventually('the mail server', () => accepts(this.port));
  }

  async stop(): Promise<void> {
    const { child } = this;
    this.child = undefined;
    // One that has ended by itself, for example as its port was taken meanwhile, ends only once.
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
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

  private get file(): string {
    return join(this.options.folder, `${this.port}.jsonl`);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** The value of a header, unfolded. */
export function headerOf({ content }: AcceptedMail, name: string): string | undefined {
  const [head = ''] = content.split(/\r?\n\r?\n/, 1);
  const lines = head.replaceAll(/\r?\n[\t ]+/g, ' ').split(/\r?\n/);
  const line = lines.find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}
