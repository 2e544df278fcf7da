import { nodeErrorCode, errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Person } from '../people/person.js';
import { MAX_PHOTO_BYTES, photoIn, type Photo } from '../photos/photo.js';

type Named = Pick<Person, 'username'>;

const ENDINGS = ['jpg', 'jpeg', 'png'];
const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** Photos in the folder `photos` beside the people file, named after the username: `photos/alice@example.test.jpg`. */
export class PhotoFiles {
  private readonly folder: string;
  private readonly logged = new Set<string>();

  constructor(
    peopleFile: string,
    private readonly logger: Logger,
  ) {
    this.folder = join(dirname(peopleFile), 'photos');
  }

  /**
   * Undefined when there is none, or none that can be shown; the latter is logged once. A file that was there before
   * `since` is of another person with the same username.
   */
  async of({ username }: Named, since = 0): Promise<Photo | undefined> {
    for (const file of this.filesOf(username)) {
      const bytes = await readStart(file);
      if (bytes === undefined || (since > 0 && (await wasThere(file, since)))) continue;
      const photo = photoIn(bytes);
      if (photo === undefined) this.logUnusable(file);
      return photo;
    }
    return undefined;
  }

  /** Those that were there before this time; a file that cannot be deleted is logged, and not shown any more. */
  async delete({ username }: Named, before = Number.POSITIVE_INFINITY): Promise<void> {
    for (const file of this.filesOf(username)) {
      if (!(await wasThere(file, before))) continue;
      try {
        await rm(file);
      } catch (error) {
        this.logger.warn(
          { file, reason: errorReason(error) },
          'cannot delete the photo of a removed person; delete the file',
        );
      }
    }
  }

  private filesOf(username: string): readonly string[] {
    // A username contains no characters with a meaning in a path.
    return ENDINGS.map((ending) => join(this.folder, `${username}.${ending}`));
  }

  private logUnusable(file: string): void {
    if (this.logged.has(file)) return;
    this.logged.add(file);
    this.logger.warn({ file, maxBytes: MAX_PHOTO_BYTES }, 'photo ignored: not a JPEG or PNG, or too large');
  }
}

/** By the time when the file came here: a copy may keep the time of its content. */
async function wasThere(file: string, before: number): Promise<boolean> {
  try {
    return (await stat(file)).ctimeMs < before;
  } catch (error) {
    if (NOT_FOUND.has(nodeErrorCode(error) ?? '')) return false;
    throw error;
  }
}

/** The start of the file, just enough to detect that it is too large. Undefined if it does not exist. */
async function readStart(file: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (NOT_FOUND.has(nodeErrorCode(error) ?? '')) return undefined;
    throw error;
  }
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_PHOTO_BYTES + 1));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
