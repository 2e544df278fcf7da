import type { LogFiles } from './log-files.js';

export interface LogRetentionOptions {
  readonly files: LogFiles;
  /** Files of days before that many are deleted. */
  readonly keepDays: number;
  readonly now: () => Date;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed: () => number;
}

export const DAY_MS = 86_400_000;
/** A clock that is wrong by more than this against the time that has passed was set, or the machine has slept. */
const JUMP_MS = 3_600_000;
/** How long a clock that was set must go on before anything is deleted by it: who finds it wrong sets it again. */
const TRUSTED_AFTER_MS = DAY_MS;

/** Deletes what a log needs no more, once a day. */
export class LogRetention {
  private lastDay = '';
  private last: { readonly wall: number; readonly elapsed: number };
  private trustedFrom: number;

  constructor(private readonly options: LogRetentionOptions) {
    this.last = this.times();
    this.trustedFrom = this.last.elapsed;
  }

  /** To be called now and then. Throws what the file system says. */
  sweep(): void {
    const { last, options } = this;
    const { wall, elapsed } = this.times();
    this.last = { wall, elapsed };
    const passed = elapsed - last.elapsed;
    if (Math.abs(wall - last.wall - passed) > JUMP_MS) this.trustedFrom = elapsed + TRUSTED_AFTER_MS;
    const day = dayOf(wall);
    if (day === this.lastDay || elapsed < this.trustedFrom) return;
    this.lastDay = day;
    options.files.deleteBefore(dayOf(wall - options.keepDays * DAY_MS));
  }

  private times(): { readonly wall: number; readonly elapsed: number } {
    return { wall: this.options.now().getTime(), elapsed: this.options.elapsed() };
  }
}

/** Of UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
