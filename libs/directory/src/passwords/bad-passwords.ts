import { errorReason } from '@ringdown/errors';
import { normalize } from '@ringdown/linear-text';
import { SettingsError } from '@ringdown/settings';
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';

/** Passwords that many people have chosen, one per line; where they come from stands beside them. */
const COMMON = new URL('../../../passwords/common.txt', import.meta.url);
/** A million passwords; in memory they need about ten times as much. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** The name of this product is tried first here. */
const OWN = ['ringdown'];

/** The form in which passwords are compared with known ones. */
export function comparable(password: string): string {
  return normalize(password, 'NFC').toLowerCase();
}

/** Known bad passwords, in their {@link comparable} form. `size`: without the common ones. */
export type BadPasswords = Pick<ReadonlySet<string>, 'has' | 'size'>;

/** Throws {@link SettingsError} for a wrong file. */
export async function readBadPasswords(file: string | undefined): Promise<BadPasswords> {
  const own = new Set(OWN);
  const common = `\n${await readFile(COMMON, 'utf8')}`;
  const lines = file === undefined ? [] : (await readBadPasswordsText(file)).split('\n');
  for (const line of lines) {
    const password = comparable(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (password !== '') own.add(password);
  }
  // Each start would need 70 ms to make a set of the common ones, and few processes ever look for one.
  return { size: own.size, has: (password) => own.has(password) || common.includes(`\n${password}\n`) };
}

async function readBadPasswordsText(file: string): Promise<string> {
  const bytes = await readLimitedBytes(file).catch((cause: unknown) =>
    wrongFile(file, `cannot be read: ${errorReason(cause)}`),
  );
  if (bytes === undefined) return wrongFile(file, 'has more than 16 MiB');
  return isUtf8(bytes) ? bytes.toString() : wrongFile(file, 'is not UTF-8');
}

async function readLimitedBytes(file: string): Promise<Buffer | undefined> {
  return (await stat(file)).size > MAX_FILE_BYTES ? undefined : readFile(file);
}

function wrongFile(file: string, problem: string): never {
  throw new SettingsError([`BAD_PASSWORDS_FILE: ${file} ${problem}`]);
}
