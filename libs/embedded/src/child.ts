import { errorReason } from '@ringdown/errors';
import { OutageLog, type Logger } from '@ringdown/observability';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childEnvironment } from './child-environment.js';
import { endLeftover, type ChildMark } from './leftover.js';
import { RestartPauses } from './restart-pauses.js';
import type { ProbeResult } from './silence.js';

export interface ChildOptions extends ChildMark {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside what every child needs. */
  readonly env?: NodeJS.ProcessEnv;
  readonly logger: Logger;
  /** Called before each start, including the first. */
  prepare?(): Promise<void>;
  /**
   * Resolves when the child with that process id is ready; called again after each restart. `ended` is aborted when
   * that child will not become ready any more: it must then stop waiting. `prolong`: it still works on its start.
   */
  ready(pid: number, ended: AbortSignal, prolong: () => void): Promise<void>;
  /** Why a child has ended, from its output and how it ended ("exit code 1"); by default the last line. */
  readonly reasonIn?: (output: string, how: string) => string;
  /** Called as soon as a ready child has ended. */
  gone?(): void;
  /**
   * Called periodically: a child that is silent twice is killed and started again, one that could not be looked at is not. Never
   * rejects.
   */
  readonly probe?: () => Promise<ProbeResult>;
  /** Waits before a start, until the signal at most; for tests. */
  readonly pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds between two probes; by default three seconds. */
  readonly watchMs?: number;
  /** Milliseconds within which it is ready, or prolongs that; by default two minutes. */
  readonly startMs?: number;
  /** What a regular stop sends; by default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Ends the first start, also while the child repairs its files. */
  readonly stopping?: AbortSignal | undefined;
}

/** Creating the files of a new database takes half a minute on a busy machine. */
const START_MS = 120_000;
const STOP_MS = 10_000;
/** Its last words may come after its end; what it has started may keep its output open for ever. */
const LAST_WORDS_MS = 500;
const WATCH_MS = 3_000;

/** What has become of a child since its first start. */
export interface ChildState {
  /** How often it was started again and became ready. */
  readonly restarts: number;
  /** When it was last; undefined if never. */
  readonly restartedAt: Date | undefined;
  /** Why it does not run now; undefined while it does. */
  readonly problem: string | undefined;
}

/** A child process that is restarted when it dies, and that never outlives this process after a regular stop. */
export class Child {
  private process: ChildProcess | undefined;
  private readonly stopping = new AbortController();
  private output = '';
  private current: ChildState = { restarts: 0, restartedAt: undefined, problem: undefined };
  /** Whether the watchdog has ended it. */
  private wasSilent = false;
  /** Whether the last probe could not look. */
  private isBlind = false;
  private readonly pauses = new RestartPauses();
  private readonly outage: OutageLog;

  private constructor(private readonly options: ChildOptions) {
    const { name, logger } = options;
    const failure = `${name} could not be restarted; trying again`;
    this.outage = new OutageLog({ logger, failure, recovery: `${name} runs again` });
  }

  /** Throws an Error with the last output of the child when it does not start. */
  static async start(options: ChildOptions): Promise<Child> {
    const pid = await endLeftover(options);
    if (pid !== undefined) options.logger.warn({ pid }, `ended a ${options.name} that an earlier run has left behind`);
    const child = new Child(options);
    const { stopping } = options;
    // Why it does not start is what the launch rejects with.
    const stop = (): void => void child.stop().catch(() => undefined);
    stopping?.addEventListener('abort', stop);
    try {
      if (stopping?.aborted) stop();
      await child.launch();
    } finally {
      stopping?.removeEventListener('abort', stop);
    }
    return child;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  get state(): ChildState {
    return this.current;
  }

  async stop(signal: NodeJS.Signals = this.options.stopSignal ?? 'SIGTERM'): Promise<void> {
    this.stopping.abort();
    await this.end(signal);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const running = this.process;
    // Without a process id it could not be started at all, and never exits.
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    running.kill(signal);
    const timer = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(timer);
    rmSync(this.options.pidFile, { force: true });
  }

  private async launch(): Promise<void> {
    const { command, args, env = {}, pidFile, name, startMs = START_MS } = this.options;
    await this.options.prepare?.();
    if (this.stopping.signal.aborted) throw new Error(`${name} is not started: the system is stopping`);
    // A process group of its own: Ctrl-C in the terminal must reach only this process, because it stops the children
    // last.
    const options: SpawnOptions = {
      detached: true,
      env: { ...childEnvironment(process.env), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const child = spawn(command, [...args], options);
    this.process = child;
    this.output = '';
    this.wasSilent = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString('utf8')).slice(-2_000)));
    }
    const failed = Promise.withResolvers<never>();
    child.once('error', failed.reject);
    const fail = (): void => failed.reject(new Error(`${name} ended at start: ${this.reasonOfEnd(child)}`));
    child.once('exit', () => void allOutputOf(child).then(fail));
    const timeUp = (): void => failed.reject(new Error(`${name} was not ready after ${startMs / 1_000} s`));
    const timer = setTimeout(timeUp, startMs).unref();
    const ended = new AbortController();
    failed.promise.catch(() => ended.abort());
    try {
      if (child.pid !== undefined) {
        mkdirSync(dirname(pidFile), { recursive: true });
        writeFileSync(pidFile, String(child.pid));
      }
      const prolong = (): void => void timer.refresh();
      await Promise.race([this.options.ready(child.pid ?? 0, ended.signal, prolong), failed.promise]);
    } catch (error) {
      await this.end('SIGKILL');
      throw error;
    } finally {
      clearTimeout(timer);
    }
    this.pauses.ready();
    child.once('exit', () => {
      this.options.gone?.();
      void this.restart(child);
    });
    void this.watch(child);
  }

  private async watch(child: ChildProcess): Promise<void> {
    const { probe, name, logger, watchMs = WATCH_MS } = this.options;
    if (probe === undefined) return;
    const gone = new AbortController();
    child.once('exit', () => gone.abort());
    let silent = 0;
    while (!gone.signal.aborted) {
      // The second look follows at once.
      if (silent === 0) await sleep(watchMs, undefined, { signal: gone.signal, ref: false }).catch(() => undefined);
      const found = gone.signal.aborted ? 'responds' : await probe();
      this.logBlindness(found);
      silent = found === 'silent' ? silent + 1 : 0;
      // It may end or be stopped during the check.
      if (silent < 2 || gone.signal.aborted) continue;
      logger.error(`${name} does not respond; ending it`);
      this.wasSilent = true;
      child.kill('SIGKILL');
      return;
    }
  }

  /** A lack that lasts is logged once. */
  private logBlindness(found: ProbeResult): void {
    const { name, logger } = this.options;
    const isBlind = typeof found === 'object';
    if (isBlind && !this.isBlind) {
      logger.warn({ reason: found.couldNotLook }, `it could not be checked whether ${name} responds; it is left alone`);
    }
    if (!isBlind && this.isBlind) logger.warn(`it can be checked again whether ${name} responds`);
    this.isBlind = isBlind;
  }

  private reasonOfEnd({ exitCode, signalCode }: ChildProcess): string {
    if (this.wasSilent) return 'it did not respond';
    const how = signalCode === null ? `exit code ${exitCode}` : `signal ${signalCode}`;
    // It could not say anything of its end: its last line is about something else.
    if (signalCode === 'SIGKILL') return how;
    return (this.options.reasonIn ?? lastLine)(this.output, how);
  }

  /** Never gives up: a full disk may be freed, files may be put back. */
  private async restart(ended: ChildProcess): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    const { name, pause = sleepUntil } = this.options;
    await allOutputOf(ended);
    this.logEnd(this.reasonOfEnd(ended));
    for (;;) {
      await pause(this.pauses.next(), signal);
      if (signal.aborted) return;
      try {
        await this.launch();
        this.current = { restarts: this.current.restarts + 1, restartedAt: new Date(), problem: undefined };
        this.outage.succeeded(name);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const problem = errorReason(error);
        this.current = { ...this.current, problem };
        this.outage.failed(name, problem);
      }
    }
  }

  /** Of a server that ends again and again, lines become rare. */
  private logEnd(reason: string): void {
    const { name, logger } = this.options;
    const problem = `${name} ended: ${reason}`;
    this.current = { ...this.current, problem };
    if (this.pauses.endsAgain()) this.outage.failed(name, problem);
    else logger.error({ reason }, `${name} ended unexpectedly; restarting it`);
  }
}

async function sleepUntil(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

async function allOutputOf(ended: ChildProcess): Promise<void> {
  await Promise.race([once(ended, 'close'), sleep(LAST_WORDS_MS, undefined, { ref: false })]);
}

function lastLine(output: string, how: string): string {
  return output.trim().split('\n').at(-1) || how;
}
