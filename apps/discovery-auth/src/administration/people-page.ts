import { canonicalName, type Person } from '@ringdown/directory';
import { setImmediate as afterOthers } from 'node:timers/promises';

/** What a page of people is selected by. */
export interface PageOptions {
  readonly limit: number;
  /** The page begins after this username. */
  readonly after?: string | undefined;
  readonly matches: (person: Person) => boolean;
}

export interface PeoplePage {
  /** In the order of their usernames. */
  readonly people: readonly Person[];
  readonly hasMore: boolean;
}

/** A search of 1,000 people takes some milliseconds; other requests are answered in between. */
const YIELD_EVERY = 1_000;

/**
 * The first people by username who match: in one pass, without sorting all. Only those who would be on the page are
 * compared with the search.
 */
export async function peoplePage(
  all: readonly Person[],
  { limit, after = '', matches }: PageOptions,
): Promise<PeoplePage> {
  const first: Person[] = [];
  for (const [at, person] of all.entries()) {
    if (at % YIELD_EVERY === YIELD_EVERY - 1) await afterOthers();
    const last = first.length > limit ? first.at(-1) : undefined;
    const { username } = person;
    if (username <= after || (last !== undefined && username > last.username) || !matches(person)) continue;
    first.splice(positionIn(first, username), 0, person);
    if (first.length > limit + 1) first.pop();
  }
  return { people: first.slice(0, limit), hasMore: first.length > limit };
}

/** In a comparable form; of 100,000 people it takes a second to make and some 20 MB, and an unchanged person keeps it. */
const texts = new WeakMap<Person, string>();

/** Whether each word is a part of what is known of a person. */
export function matchesWords(person: Person, words: readonly string[]): boolean {
  let text = texts.get(person);
  if (text === undefined) texts.set(person, (text = searchedText(person)));
  return words.every((word) => text.includes(word));
}

function searchedText({ username, name, sipAddress, mail, title, department, phones }: Person): string {
  const known = [name, username, sipAddress, mail, title, department, ...Object.values(phones)];
  return canonicalName(known.filter((each) => each !== undefined).join('\n'));
}

function positionIn(people: readonly Person[], username: string): number {
  let low = 0;
  let high = people.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((people[middle]?.username ?? '') < username) low = middle + 1;
    else high = middle;
  }
  return low;
}
