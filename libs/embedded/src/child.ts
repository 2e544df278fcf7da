import type { Logger } from '@ringdown/observability';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** One of the arguments, by which this very child is known among others of the same program: its own file. */
  readonly ownFile: string;
  /** Remembers the process, so that the next start can end one that was left behind by a crash. */
  readonly pidFile: string;
  readonly logger: Logger;
  /** Resolves when the child does its work; asked again after each restart. */
  ready(): Promise<void>;
  /** Asked now and then: a child that does no work any more is killed, and so started again. Never rejects. */
  readonly stillWorks?: () => Promise<boolean>;
  readonly ipc?: boolean;
}

/** Making the files of a new database takes half a minute on a machine that is busy with other things. */
const START_MS = 120_000;
const STOP_MS = 10_000;
const RESTART_MS = 1_000;
const WATCH_MS = 3_000;

/** A child process that is started again when it dies, and that never outlives us when we stop in an orderly way. */
export class Child {
  private process: ChildProcess | undefined;
  private stopping = false;
  private output = '';

  private constructor(private readonly options: ChildOptions) {}

  /** Throws an Error with the child's last words when it does not come up. */
  static async start(options: ChildOptions): Promise<Child> {
    endLeftover(options);
    const child = new Child(options);
    await child.launch();
    return child;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.stopping = true;
    const running = this.process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    running.kill(signal);
    const timer = setTimeout(() => running.kill('SIGKILL'), STOP_MS);
    await gone;
    clearTimeout(timer);
    rmSync(this.options.pidFile, { force: true });
  }

  private async launch(): Promise<void> {
    const { command, args, pidFile, name, ipc } = this.options;
    // A process group of its own: Ctrl-C in the terminal must reach us only, because we stop the children last.
    const options: SpawnOptions = {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
    };
    const child = spawn(command, [...args], options);
    this.process = child;
    this.output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output = (this.output + chunk.toString('utf8')).slice(-2_000)));
    }
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`${name} ended at once: ${lastLine(this.output)}`)));
      setTimeout(() => reject(new Error(`${name} was not ready after ${START_MS / 1000} s`)), START_MS).unref();
    });
    failed.catch(() => undefined);
    if (child.pid !== undefined) {
      mkdirSync(dirname(pidFile), { recursive: true });
      writeFileSync(pidFile, String(child.pid));
    }
    await Promise.race([this.options.ready(), failed]).catch(async (error: unknown) => {
      await this.stop('SIGKILL');
      throw error;
    });
    child.once('exit', () => void this.restart());
    void this.watch(child);
  }

  private async watch(child: ChildProcess): Promise<void> {
    const { stillWorks, name, logger } = this.options;
    if (stillWorks === undefined) return;
    const gone = new AbortController();
    child.once('exit', () => gone.abort());
    const isGone = (): boolean => gone.signal.aborted;
    while (!isGone()) {
      await sleep(WATCH_MS, undefined, { signal: gone.signal, ref: false }).catch(() => undefined);
      // It may end by itself, or be stopped, while it is asked.
      if (isGone() || (await stillWorks()) || (await stillWorks()) || isGone()) continue;
      logger.error(`${name} does not answer any more; ending it`);
      child.kill('SIGKILL');
      return;
    }
  }

  private async restart(): Promise<void> {
    const { name, logger } = this.options;
    while (!this.stopping) {
      logger.error({ lastWords: lastLine(this.output) }, `${name} died; starting it again`);
      await new Promise((resolve) => setTimeout(resolve, RESTART_MS));
      if (this.stopping) return;
      try {
        await this.launch();
        return;
      } catch (error) {
        this.stopping = false;
        logger.error({ err: error }, `${name} could not be started again`);
      }
    }
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}

/** Only the very same child is ended: process ids are used again, and others run Node or a nats-server too. */
function endLeftover({ pidFile, ownFile, name, logger }: ChildOptions): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!commandLine.split('\0').includes(ownFile)) return;
    process.kill(pid, 'SIGKILL');
    logger.warn({ pid }, `ended a ${name} that an earlier run had left behind`);
  } catch (error) {
    // No such file or process: nothing was left behind.
    logger.trace({ err: error }, `no ${name} was left behind`);
  }
}
