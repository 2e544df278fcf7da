import type { Person } from '@ringdown/directory';
import { searchWords } from './search-words.js';

export interface SearchResult {
  /** Best match first. */
  readonly people: readonly Person[];
  /** Whether more people match than were asked for. */
  readonly moreResultsAvailable: boolean;
}

/** People that have a word, and how much the word says about each (same positions). */
interface Posting {
  readonly people: Uint32Array;
  readonly weights: Uint8Array;
}

/** A word of the name says more about a person than a part of an address. */
const NAME_WEIGHT = 4;
const ADDRESS_WEIGHT = 1;
/** A whole word counts double. */
const WHOLE_WORD = 2;
/** More words than anybody types; each costs time. */
const MAX_WORDS = 12;

/**
 * Finds people by the beginnings of the words of their name, mail and SIP address, blind to case and accents.
 * Every word that is asked for must match. It is a sorted list of words with the people who have them, so a search
 * costs what it finds and not how many people there are.
 */
export class PeopleIndex {
  /** In the order in which equally good matches are shown. */
  private readonly people: readonly Person[];
  private readonly words: readonly string[];
  private readonly postings: readonly Posting[];

  constructor(people: readonly Person[]) {
    const { compare } = new Intl.Collator('en', { sensitivity: 'base' });
    this.people = people.toSorted((a, b) => compare(a.name, b.name) || compare(a.sipAddress, b.sipAddress));
    const index = new Map<string, Map<number, number>>();
    for (const [number, person] of this.people.entries()) {
      for (const [word, weight] of weightedWords(person)) {
        const posting = index.get(word) ?? new Map<number, number>();
        posting.set(number, Math.max(weight, posting.get(number) ?? 0));
        index.set(word, posting);
      }
    }
    this.words = [...index.keys()].sort();
    this.postings = this.words.map((word) => packed(index.get(word) ?? new Map()));
  }

  /** The best `limit` matches. A query without any letter or digit matches nobody. */
  search(query: string, limit: number): SearchResult {
    const words = [...new Set(searchWords(query.replace(/^\s*sip:/i, '')))].slice(0, MAX_WORDS);
    let scores: Map<number, number> | undefined;
    for (const word of words) {
      const found = this.peopleWith(word);
      scores = scores === undefined ? found : inBoth(scores, found);
    }
    const ranked = [...(scores ?? [])].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b);
    return {
      people: ranked.slice(0, limit).flatMap(([number]) => this.people[number] ?? []),
      moreResultsAvailable: ranked.length > limit,
    };
  }

  private peopleWith(prefix: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (let at = this.firstFrom(prefix); at < this.words.length; at++) {
      const word = this.words[at] ?? '';
      if (!word.startsWith(prefix)) break;
      const factor = word === prefix ? WHOLE_WORD : 1;
      const posting = this.postings[at];
      posting?.people.forEach((number, position) => {
        const score = (posting.weights[position] ?? 0) * factor;
        if (score > (scores.get(number) ?? 0)) scores.set(number, score);
      });
    }
    return scores;
  }

  /** Position of the first word that is not before `prefix`. */
  private firstFrom(prefix: string): number {
    let low = 0;
    let high = this.words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.words[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function weightedWords({ name, mail, sipAddress, username }: Person): (readonly [string, number])[] {
  const addresses = [mail ?? '', sipAddress.replace(/^sip:/, ''), username];
  return [
    ...searchWords(name).map((word) => [word, NAME_WEIGHT] as const),
    ...addresses.flatMap((address) => searchWords(address)).map((word) => [word, ADDRESS_WEIGHT] as const),
  ];
}

function packed(posting: ReadonlyMap<number, number>): Posting {
  return { people: Uint32Array.from(posting.keys()), weights: Uint8Array.from(posting.values()) };
}

function inBoth(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): Map<number, number> {
  const both = new Map<number, number>();
  for (const [number, score] of a) {
    const other = b.get(number);
    if (other !== undefined) both.set(number, score + other);
  }
  return both;
}
