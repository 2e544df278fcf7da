import { canonicalName } from '@ringdown/directory';
import type { Wanted } from '@ringdown/directory/stored';
import type { CommandLine } from './command-line.js';

const OF_ALL = ['list', 'import', 'export'];

/**
 * Whom a command has to know: the people that it names, those with their addresses, all who have a person who is
 * renamed as a contact, and all administrators, of whom one must be left. Undefined: all.
 */
export function wantedPeople({ command, username, newUsername, options }: CommandLine): Wanted | undefined {
  if (OF_ALL.includes(command)) return undefined;
  const given = [username, newUsername, ...(options.contact ?? []), options.sip?.replace(/^sip:/i, '') ?? ''];
  const names = new Set(given.filter((name) => name !== '').map(canonicalName));
  const old = command === 'rename' ? canonicalName(username) : undefined;
  return ({ username: name, sipAddress, roles, contacts }) =>
    names.has(String(name)) ||
    names.has(String(sipAddress).slice('sip:'.length)) ||
    (Array.isArray(roles) && roles.includes('admin')) ||
    (old !== undefined && Array.isArray(contacts) && contacts.includes(old));
}
