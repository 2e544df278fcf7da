import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Folders of distributions for servers; they are often not on the PATH of a user. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/usr/lib/openldap', '/usr/local/libexec'];

/** The path of a command. Throws an Error with the advice if it is missing: no test is skipped for it. */
export function findProgram(command: string, advice: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...SERVER_FOLDERS];
  const file = folders.map((folder) => join(folder, command)).find((candidate) => existsSync(candidate));
  if (file !== undefined) return file;
  throw new Error(`${command} was not found: ${advice}`);
}
