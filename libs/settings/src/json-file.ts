import { errorReason } from '@ringdown/errors';
import { readFileSync } from 'node:fs';

/** The content of a JSON file that a setting names. Throws an Error that completes "NAME …". */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = errorReason(cause);
    throw new Error(`must be a readable JSON file: ${reason}`, { cause });
  }
}

/** The entries of an object in it. `path`: the place in the file, for the Error that completes "NAME …". */
export function entriesAt(value: unknown, path: string): [name: string, value: unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw new Error(`must contain an object at "${path || '/'}"`);
}
