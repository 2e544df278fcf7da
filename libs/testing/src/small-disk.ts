import { nodeErrorCode } from '@ringdown/errors';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate disk that can be filled without affecting other programs. Needs root. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Throws an Error with the advice if mounting is not permitted: the test is not skipped for it. */
  static mount(megabytes: number): SmallDisk {
    const folder = mkdtempSync(join(tmpdir(), 'ringdown-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      rmdirSync(folder);
      throw new Error('the test of a full disk mounts a tmpfs: run the tests as root', {
        cause: error,
      });
    }
    return new SmallDisk(folder);
  }

  /** Fills the disk completely. */
  fill(): void {
    for (let size = 8_388_608; size >= 1; size /= 2) {
      while (this.append(size));
    }
  }

  /** Deletes everything that was filled, or only this many megabytes of it. */
  freeSpace(megabytes?: number): void {
    if (megabytes === undefined) return rmSync(this.filler);
    truncateSync(this.filler, statSync(this.filler).size - megabytes * 1_048_576);
  }

  async stop(): Promise<void> {
    execFileSync('umount', [this.folder], { stdio: 'pipe' });
    rmdirSync(this.folder);
    return Promise.resolve();
  }

  private append(bytes: number): boolean {
    try {
      appendFileSync(this.filler, Buffer.alloc(bytes));
      return true;
    } catch (error) {
      if (nodeErrorCode(error) === 'ENOSPC') return false;
      throw error;
    }
  }

  private get filler(): string {
    return join(this.folder, 'filler');
  }
}
