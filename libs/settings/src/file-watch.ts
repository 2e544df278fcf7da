import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** Polled, because files mounted into a container, or behind replaced links, cause no change notifications. */
const POLL_MS = 2_000;

/** Calls back after each change of some files: written, replaced, made or removed. */
export class FileWatch {
  private readonly files: readonly string[];
  private marks: readonly string[];
  private isLooking = false;
  private timer: NodeJS.Timeout | undefined;
  private changed: () => void = () => undefined;

  /** Made before the files are read, and started afterwards, so that no change is missed in between. */
  constructor(files: readonly string[]) {
    this.files = [...new Set(files)];
    this.marks = this.marksNow();
  }

  start(changed: () => void, pollMs = POLL_MS): void {
    this.changed = changed;
    this.timer = setInterval(() => void this.look(), pollMs).unref();
  }

  /** Calls back before it returns if the files have changed: for what must not be older than what another process has read. */
  lookNow(): void {
    this.compare(this.marksNow());
  }

  /** Calls back at the next look, whether or not the files change until then: they could not be read. */
  expectChange(): void {
    this.marks = [];
  }

  close(): void {
    clearInterval(this.timer);
    this.changed = () => undefined;
  }

  /** The file system may be slow: one look at a time. */
  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    const before = this.marks;
    const found = await Promise.all(this.files.map((file) => stat(file, { bigint: true }).catch(() => undefined)));
    this.isLooking = false;
    // Otherwise `lookNow` has seen more meanwhile.
    if (this.marks === before) this.compare(found.map(markOf));
  }

  private compare(marks: readonly string[]): void {
    if (marks.every((mark, index) => mark === this.marks[index])) return;
    this.marks = marks;
    this.changed();
  }

  private marksNow(): readonly string[] {
    return this.files.map((file) => {
      try {
        return markOf(statSync(file, { bigint: true }));
      } catch {
        // What is wrong with a file is what reading it says.
        return markOf(undefined);
      }
    });
  }
}

function markOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
}
