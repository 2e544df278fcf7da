import { errorReason } from '@ringdown/errors';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const EXTEND_EVERY_MS = 20_000;
const EXTEND_BY_US = 60_000_000;
/** A message is a matter of milliseconds. */
const TIMEOUT_MS = 10_000;

/** Who is told of this process: environment variables of sd_notify(3) and sd_watchdog_enabled(3). */
export interface ManagerEnvironment {
  readonly [name: string]: string | undefined;
}

interface Options {
  readonly pid?: number;
  /** Called once, when messages cannot be sent. */
  readonly warn: (line: string) => void;
}

/**
 * What systemd is told of this process, where it has started it with `Type=notify`; does nothing elsewhere. Messages are sent by the program
 * systemd-notify, because Node has no datagram sockets of Unix: it is wherever systemd is, and takes 12 ms.
 */
export class ServiceManager {
  private readonly socket: string | undefined;
  /** How often it wants to hear of this process; undefined if it does not watch it. */
  private readonly everyMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isPinging = false;
  private isAsking = false;
  private isStopping = false;
  private isWarned = false;
  private shown = '';
  private sent: Promise<void> = Promise.resolve();

  constructor(
    private readonly env: ManagerEnvironment,
    private readonly options: Options,
  ) {
    this.socket = env['NOTIFY_SOCKET'] === '' ? undefined : env['NOTIFY_SOCKET'];
    const { WATCHDOG_USEC: microseconds = '', WATCHDOG_PID: watched } = env;
    const isWatched = /^\d{1,15}$/.test(microseconds) && (watched ?? String(this.pid)) === String(this.pid);
    this.everyMs = isWatched ? Math.max(1, Number(microseconds) / 1_000 / 3) : undefined;
  }

  /** From here on, a start may take as long as it needs. */
  starting(): void {
    const extend = (): void => void this.send(`EXTEND_TIMEOUT_USEC=${EXTEND_BY_US}`);
    extend();
    this.repeat(extend, EXTEND_EVERY_MS);
  }

  /** The start is complete. `status`: the state in one line, asked for now and then. */
  ready(status: () => Promise<string>): void {
    if (this.socket === undefined) return;
    clearInterval(this.timer);
    void this.send('READY=1');
    void this.show(status);
    if (this.everyMs !== undefined) this.repeat(() => this.ping(status), this.everyMs);
  }

  /** What tells of a living process goes on until its end; that parts are not ready any more is no news. */
  stopping(): void {
    this.isStopping = true;
    void this.send('STOPPING=1');
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** A timer of the event loop: a loop that stands still is what a restart cures, unlike a database that is away, for which the state may wait. */
  private ping(status: () => Promise<string>): void {
    if (!this.isPinging) {
      this.isPinging = true;
      void this.send('WATCHDOG=1').then(() => (this.isPinging = false));
    }
    void this.show(status);
  }

  private async show(status: () => Promise<string>): Promise<void> {
    if (this.isAsking || this.isStopping) return;
    this.isAsking = true;
    const text = await status().catch(() => this.shown);
    this.isAsking = false;
    if (text === this.shown || this.isStopping) return;
    this.shown = text;
    await this.send(`STATUS=${text.replaceAll(/\s+/g, ' ')}`);
  }

  private repeat(work: () => void, everyMs: number): void {
    if (this.socket !== undefined) this.timer = setInterval(work, everyMs).unref();
  }

  /** In the order of the calls. */
  private send(assignment: string): Promise<void> {
    this.sent = this.sent.then(() => this.run(assignment));
    return this.sent;
  }

  private async run(assignment: string): Promise<void> {
    if (this.socket === undefined) return;
    const env = { PATH: this.env['PATH'], NOTIFY_SOCKET: this.socket };
    try {
      await promisify(execFile)('systemd-notify', [assignment], { env, timeout: TIMEOUT_MS });
    } catch (error) {
      if (this.isWarned) return;
      this.isWarned = true;
      this.options.warn(
        `the service manager cannot be told of this process: ${errorReason(error).trim().split('\n').at(-1)}`,
      );
    }
  }

  private get pid(): number {
    return this.options.pid ?? process.pid;
  }
}
