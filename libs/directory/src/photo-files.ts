import { codeOf } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Person } from './person.js';
import { MAX_PHOTO_BYTES, photoIn, type Photo } from './photo.js';

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

  /** Undefined when there is none, or none that can be shown; the latter is logged once. */
  async of({ username }: Person): Promise<Photo | undefined> {
    for (const ending of ENDINGS) {
      // A username contains no characters with a meaning in a path.
      const file = join(this.folder, `${username}.${ending}`);
      const bytes = await readStart(file);
      if (bytes === undefined) continue;
      const photo = photoIn(bytes);
      if (photo === undefined) this.logUnusable(file);
      return photo;
    }
    return undefined;
  }

  private logUnusable(file: string): void {
    if (this.logged.has(file)) return;
    this.logged.add(file);
    this.logger.warn({ file, maxBytes: MAX_PHOTO_BYTES }, 'photo ignored: not a JPEG or PNG, or too large');
  }
}

/** The start of the file, just enough to detect that it is too large. Undefined if it does not exist. */
async function readStart(file: string): Promise<Buffer | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if (NOT_FOUND.has(codeOf(error) ?? '')) return undefined;
    throw error;
  }
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_PHOTO_BYTES + 1));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
