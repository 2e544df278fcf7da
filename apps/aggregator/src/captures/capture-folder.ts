import { nodeErrorCode } from '@ringdown/errors';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'ringdown-captures-';

/** A folder for captures while they are read. */
export class CaptureFolder {
  private made: Promise<string> | undefined;

  path(): Promise<string> {
    return (this.made = this.existing(this.made));
  }

  async remove(): Promise<void> {
    const made = await this.made?.catch(() => undefined);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }

  /** Made again after a failure, and when it was deleted: some systems delete old temporary files. */
  private async existing(made: Promise<string> | undefined): Promise<string> {
    const known = await made?.catch(() => undefined);
    if (known !== undefined && existsSync(known)) return known;
    return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  }
}

/** Deletes the folders of processes that were killed: captures show who called whom. */
export async function deleteLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length).split('-', 1)[0]))) {
      // Another user's folder is not ours to delete.
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

/** In a container, the process before had the same id. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return nodeErrorCode(error) === 'EPERM';
  }
}
