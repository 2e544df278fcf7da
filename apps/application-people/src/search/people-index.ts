import { canonicalName, type Person } from '@ringdown/directory';
import { PhoneIndex, type IndexedPhone } from './phone-index.js';
import { Scores } from './scores.js';
import { readQuery, type Term } from './search-query.js';
import { nameWords, searchWords } from './search-words.js';
import { sortedInSlices, type Sliced } from './sliced.js';
import { WordEntries, WordIndex } from './word-index.js';

/** The search terms; a person must match all of them. */
export interface PeopleQuery {
  /** Beginnings of words, in any order, and digits of telephone numbers. */
  readonly query?: string;
  /** A whole mail or SIP address. */
  readonly mail?: string;
}

/** The number of matches, including those that are not returned. */
export interface Matches {
  /** Best match first. */
  readonly best: readonly Match[];
  readonly count: number;
}

export interface Match {
  readonly person: Person;
  readonly score: number;
}

const NO_PEOPLE = new Uint32Array();

/** A match in the name ranks higher than one in an address, and that higher than one in title or department. */
const NAME_WEIGHT = 6;
const ADDRESS_WEIGHT = 2;
const WORK_WEIGHT = 1;
const YIELD_EVERY = 64;

/**
 * Finds people by the beginnings of the words of their name, addresses, title and department, ignoring case and
 * accents, and by digits of their telephone numbers. Every word of the query must match. A search uses plain arrays of
 * numbers, so that even a word that everyone has, such as the domain, is fast.
 */
export class PeopleIndex {
  /** Scores of the current search; a search completes before the next begins. */
  private readonly scratch: readonly [Scores, Scores, Scores, Scores];

  private constructor(
    /** In the order in which equally good matches are shown; everywhere else a person is a position in this list. */
    readonly people: readonly Person[],
    private readonly words: WordIndex,
    private readonly phones: PhoneIndex,
  ) {
    const scores = (): Scores => new Scores(people.length);
    this.scratch = [scores(), scores(), scores(), scores()];
  }

  static *of(all: readonly Person[]): Sliced<PeopleIndex> {
    const people = yield* byName(all);
    const entries = new WordEntries();
    const phones: IndexedPhone[] = [];
    for (const [number, person] of people.entries()) {
      for (const [word, weight] of weightedWords(person)) entries.add(word, number, weight);
      for (const phone of Object.values(person.phones))
        phones.push({ digits: phone.replaceAll(/\D/g, ''), person: number });
      if (number % YIELD_EVERY === 0) yield;
    }
    return new PeopleIndex(people, yield* WordIndex.from(entries), yield* PhoneIndex.from(phones));
  }

  /** The best `limit` matches, without the people at some positions. A query without words or digits matches no one. */
  search({ query, mail }: PeopleQuery, limit: number, hidden: Uint32Array = NO_PEOPLE): Matches {
    const address = mail === undefined ? undefined : addressIn(mail);
    const [first, ...others] = [...readQuery(query ?? ''), ...readQuery(address ?? '')];
    const [scores, other] = this.scratch;
    if (first === undefined) return { best: [], count: 0 };
    this.score(first, scores);
    for (const term of others) {
      if (scores.matches === 0) break;
      this.score(term, other);
      scores.keepBoth(other);
    }
    if (address !== undefined) scores.keepOnly((number) => hasAddress(this.people[number], address));
    scores.drop(hidden);
    const best: Match[] = [];
    for (const { person: number, score } of scores.best(limit)) {
      const person = this.people[number];
      if (person !== undefined) best.push({ person, score });
    }
    return { best, count: scores.matches };
  }

  /** The score of each person for a term: as words that all match, or as a telephone number. */
  private score({ words, digits }: Term, scores: Scores): void {
    const [, , word, number] = this.scratch;
    for (const [at, text] of words.entries()) {
      if (at > 0 && scores.matches === 0) break;
      const target = at === 0 ? scores : word;
      target.clear();
      this.words.score(text, target);
      if (digits !== '') this.phones.score(text, target);
      if (at > 0) scores.keepBoth(word);
    }
    if (digits === '' || digits === words[0]) return;
    number.clear();
    this.phones.score(digits, number);
    scores.keepBetter(number);
  }
}

function addressIn(mail: string): string {
  return canonicalName(mail.trim()).replace(/^(?:sips?|mailto|smtp):/, '');
}

function hasAddress(person: Person | undefined, address: string): boolean {
  return (
    person !== undefined &&
    (person.sipAddress === `sip:${address}` ||
      person.username === address ||
      (person.mail !== undefined && canonicalName(person.mail) === address))
  );
}

/** People with the same score are shown in the order of these keys. */
export function orderKey({ name, sipAddress }: Person): string {
  return `${searchWords(name).join(' ')} ${sipAddress}`;
}

/**
 * Sorted by plain keys that are computed once: a collator takes many times as long, and other requests would wait for
 * it.
 */
function* byName(people: readonly Person[]): Sliced<Person[]> {
  const keys: string[] = [];
  for (const person of people) {
    const count = keys.push(orderKey(person));
    if (count % YIELD_EVERY === 0) yield;
  }
  const order = yield* sortedInSlices(Uint32Array.from(people.keys()), (a, b) =>
    (keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1,
  );
  const sorted: Person[] = [];
  for (const number of order) {
    const person = people[number];
    if (person !== undefined && sorted.push(person) % YIELD_EVERY === 0) yield;
  }
  return sorted;
}

/** Each word of a person once, with the highest weight that it has for them. */
function weightedWords({ name, mail, sipAddress, username, title, department }: Person): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of searchWords(`${title ?? ''} ${department ?? ''}`)) words.set(word, WORK_WEIGHT);
  for (const address of new Set([username, sipAddress.slice('sip:'.length), mail ?? ''])) {
    for (const word of searchWords(address)) words.set(word, ADDRESS_WEIGHT);
  }
  for (const word of nameWords(name)) words.set(word, NAME_WEIGHT);
  return words;
}
