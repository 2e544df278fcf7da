import type { Logger } from '@ringdown/observability';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftover, type ChildMark } from './leftover.js';

export interface ChildOptions extends ChildMark {
  readonly command: string;
  readonly args: readonly string[];
  readonly logger: Logger;
  /** Called before each start of it, the first one too. */
  prepare?(): Promise<void>;
  /**
   * Resolves when the child of that process id does its work; asked again after each restart. `ended` is aborted when that
   * child will not come up any more: waiting for it has to end then.
   */
  ready(pid: number, ended: AbortSignal): Promise<void>;
  /** Called as soon as a child that has done its work is no more. */
  gone?(): void;
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
    const pid = endLeftover(options);
    if (pid !== undefined) options.logger.warn({ pid }, `ended a ${options.name} that an earlier run had left behind`);
    const child = new Child(options);
    await child.launch();
    return child;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.stopping = true;
    await this.end(signal);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
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
    await this.options.prepare?.();
    if (this.stopping) throw new Error(`${name} is not started any more`);
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
    const ended = new AbortController();
    failed.catch(() => ended.abort());
    if (child.pid !== undefined) {
      mkdirSync(dirname(pidFile), { recursive: true });
      writeFileSync(pidFile, String(child.pid));
    }
    await Promise.race([this.options.ready(child.pid ?? 0, ended.signal), failed]).catch(async (error: unknown) => {
      await this.end('SIGKILL');
      throw error;
    });
    child.once('exit', () => {
      this.options.gone?.();
      void this.restart();
    });
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
        if (this.stopping) return;
        logger.error({ err: error }, `${name} could not be started again`);
      }
    }
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? '';
}
