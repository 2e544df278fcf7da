import type { Reason } from './errors.js';
import { texts } from '../texts/web-interface.js';

/** A refused request in the language of the page: by its subcode, else its code, else in the words of the server. */
export function refusalWords({ code, subcode }: Reason, said: string | undefined): string | undefined {
  const { refusals } = texts;
  const known = [subcode, code].find((name) => isIn(refusals, name));
  if (isIn(refusals, known)) return refusals[known];
  return said === undefined ? undefined : texts.inWordsOfServer(said);
}

/** What the sign-in provider sent back instead of a code. */
export function providerWords(error: string, said: string | null): string {
  const { providerErrors } = texts;
  return isIn(providerErrors, error) ? providerErrors[error] : texts.providerAnswered(said ?? error);
}

/** Names come from a server: they must not match inherited properties. */
function isIn<T extends object>(table: T, name: PropertyKey | undefined): name is keyof T {
  return name !== undefined && Object.hasOwn(table, name);
}
