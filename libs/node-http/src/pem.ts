import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';

/** A file with certificates or a key. Throws an Error that names the setting. */
export function readPem(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = errorReason(error);
    throw new Error(`${setting}: ${reason}`, { cause: error });
  }
}
