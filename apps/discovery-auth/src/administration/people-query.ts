import { canonicalName, ROLES, type Role } from '@ringdown/directory';
import { parseAddress, PeopleFileError } from '@ringdown/directory/people-file';
import { ReadText, WholeNumber } from '@ringdown/web-server/input';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_SEARCH = 100;
const MAX_WORDS = 5;
const MAX_CURSOR = 512;

/** Parameters of a list of people. */
export class PeopleQuery {
  @WholeNumber(1, MAX_LIMIT)
  limit = DEFAULT_LIMIT;

  /** The username after which the page begins. */
  @ReadText('the `next` of a page', usernameIn)
  cursor?: string;

  /** Words of which each is a part of a name, an address, a title, a department or a telephone number. */
  @ReadText(`at most ${MAX_WORDS} words, ${MAX_SEARCH} characters together`, wordsIn)
  search?: readonly string[];

  @ReadText(`one of ${ROLES.join(',')}`, (text) => ROLES.find((role) => role === text))
  role?: Role;

  @ReadText('true or false', (text) => ({ true: true, false: false })[text])
  blocked?: boolean;
}

/** For routes without parameters: any parameter is rejected. */
export class NoParameters {}

export function cursorOf(username: string): string {
  return Buffer.from(username).toString('base64url');
}

function usernameIn(cursor: string): string | undefined {
  if (cursor.length > MAX_CURSOR) return undefined;
  try {
    return parseAddress(Buffer.from(cursor, 'base64url').toString(), 'cursor');
  } catch (error) {
    if (error instanceof PeopleFileError) return undefined;
    throw error;
  }
}

function wordsIn(text: string): readonly string[] | undefined {
  if (text.length > MAX_SEARCH) return undefined;
  const words = canonicalName(text)
    .split(/\s/)
    .filter((word) => word !== '');
  return words.length <= MAX_WORDS ? words : undefined;
}
