import { nodeErrorCode } from '@ringdown/errors';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { pacedChunks } from '@ringdown/web-server/input';
import { open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { queryErrors } from '../errors.js';

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Writes a body to a new file; resolves with its length. Throws what the client is answered, and leaves no file then.
 * The stream stays open, so that the answer can be sent.
 */
export async function storeCapture(body: Readable, file: string, limit: number): Promise<number> {
  try {
    return await writeAll(body, file, limit);
  } catch (error) {
    await rm(file, { force: true });
    if (DISK_FULL.has(nodeErrorCode(error) ?? ''))
      throw new InterfaceError(queryErrors.noRoomForCapture, { cause: error });
    throw error;
  }
}

async function writeAll(body: Readable, file: string, limit: number): Promise<number> {
  // Shows who called whom: for this user alone.
  const handle = await open(file, 'wx', 0o600);
  try {
    let length = 0;
    for await (const chunk of pacedChunks(body)) {
      length += chunk.length;
      if (length > limit) throw new Fault('too-large');
      await handle.appendFile(chunk);
    }
    return length;
  } finally {
    await handle.close();
  }
}
