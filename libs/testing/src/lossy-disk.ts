import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/** EXT4_IOC_SHUTDOWN of the kernel's include/uapi/linux/fs.h, and its flag that nothing more is written. */
const SHUTDOWN = '0x8004587d';
const NOTHING_WRITTEN = 2;

/** A disk of its own with ext4, which forgets what was not synced when its power is cut. Needs root. */
export class LossyDisk {
  readonly folder: string;
  private readonly image: string;

  private constructor(private readonly parent: string) {
    this.folder = join(parent, 'disk');
    this.image = join(parent, 'image');
  }

  /** Throws an Error with the advice if mounting is not permitted: the test is not skipped for it. */
  static mount(megabytes: number): LossyDisk {
    const disk = new LossyDisk(mkdtempSync(join(tmpdir(), 'ringdown-lossy-')));
    mkdirSync(disk.folder);
    writeFileSync(disk.image, '');
    truncateSync(disk.image, megabytes * 1_048_576);
    execFileSync('mkfs.ext4', ['-q', '-F', disk.image], { stdio: 'pipe' });
    try {
      disk.mount();
    } catch (error) {
      rmSync(disk.parent, { recursive: true });
      throw new Error('the test of a power cut mounts a disk: run the tests as root', { cause: error });
    }
    return disk;
  }

  /** From here on nothing can be read or written. */
  cutPower(): void {
    const program = `open(my $disk, '<', $ARGV[0]) or die $!; my $flag = pack('L', ${NOTHING_WRITTEN}); ioctl($disk, ${SHUTDOWN}, $flag) or die $!`;
    execFileSync('perl', ['-e', program, this.folder], { stdio: 'pipe' });
  }

  /**
   * What the disk has after a power cut. Processes that used it must have ended. It comes back as a copy: another test that runs in a mount
   * namespace of its own may still have the dead one, and the kernel would give that one again.
   */
  async comeBack(): Promise<void> {
    await this.unmount();
    execFileSync('cp', ['--sparse=always', this.image, `${this.image}.copy`], { stdio: 'pipe' });
    renameSync(`${this.image}.copy`, this.image);
    this.mount();
  }

  async stop(): Promise<void> {
    await this.unmount();
    rmSync(this.parent, { recursive: true });
  }

  private mount(): void {
    execFileSync('mount', ['-o', 'loop', this.image, this.folder], { stdio: 'pipe' });
  }

  /** A killed process holds it until it is gone. */
  private unmount(): Promise<true> {
    return eventually('the disk to be free', () => spawnSync('umount', [this.folder]).status === 0);
  }
}
