import type { LogFiles } from './log-files.js';

export interface LogRetentionOptions {
  readonly files: LogFiles;
  /** Files older than this many days are deleted. */
  readonly keepDays: number;
  readonly now: () => Date;
  /** A monotonic clock, milliseconds. */
  readonly elapsed: () => number;
}

export const DAY_MS = 86_400_000;
/** A clock that differs by more than this from the elapsed time was set, or the machine was suspended. */
const JUMP_MS = 3_600_000;
/** How long a clock must run after it was set before files are deleted by it: a wrong clock is corrected by then. */
const TRUSTED_AFTER_MS = DAY_MS;

/** Deletes old files of a log, once a day. */
export class LogRetention {
  private lastDay = '';
  private last: { readonly wall: number; readonly elapsed: number };
  private trustedFrom: number;

  constructor(private readonly options: LogRetentionOptions) {
    this.last = this.times();
    this.trustedFrom = this.last.elapsed;
  }

  /** Call it at short intervals. Throws errors of the file system. */
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

/** In UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
