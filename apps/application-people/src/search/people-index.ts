import type { Person } from '@ringdown/directory';
import { searchWords } from './search-words.js';

export interface SearchResult {
  /** Best match first. */
  readonly people: readonly Person[];
  /** Whether more people match than were asked for. */
  readonly moreResultsAvailable: boolean;
}

/** People that have a word, in ascending order, and how much the word says about each (same positions). */
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
const BEST_SCORE = MAX_WORDS * NAME_WEIGHT * WHOLE_WORD;

/**
 * Finds people by the beginnings of the words of their name, mail and SIP address, blind to case and accents.
 * Every word that is asked for must match. It is a sorted list of words with the people who have them; a search works
 * in plain arrays of numbers, so that even a word that everybody has, such as the domain, is found in no time.
 */
export class PeopleIndex {
  /** In the order in which equally good matches are shown; everywhere else a person is a position in this list. */
  private readonly people: readonly Person[];
  private readonly words: readonly string[];
  private readonly postings: readonly Posting[];

  constructor(people: readonly Person[]) {
    this.people = byName(people);
    const index = new Map<string, { people: number[]; weights: number[] }>();
    for (const [number, person] of this.people.entries()) {
      for (const [word, weight] of weightedWords(person)) {
        const posting = index.get(word) ?? { people: [], weights: [] };
        posting.people.push(number);
        posting.weights.push(weight);
        index.set(word, posting);
      }
    }
    const sorted = [...index].sort(([a], [b]) => (a < b ? -1 : 1));
    this.words = sorted.map(([word]) => word);
    this.postings = sorted.map(([, { people, weights }]) => ({
      people: Uint32Array.from(people),
      weights: Uint8Array.from(weights),
    }));
  }

  /** The best `limit` matches. A query without any letter or digit matches nobody. */
  search(query: string, limit: number): SearchResult {
    const words = [...new Set(searchWords(query.replace(/^\s*sip:/i, '')))].slice(0, MAX_WORDS);
    const [first, ...others] = words.map((word) => this.scoresFor(word));
    if (first === undefined) return { people: [], moreResultsAvailable: false };
    for (const other of others) keepBoth(first, other);
    const { best, matches } = bestOf(first, limit);
    return { people: best.flatMap((number) => this.people[number] ?? []), moreResultsAvailable: matches > limit };
  }

  /** For every person how well a word of theirs begins with `prefix`; 0 where none does. */
  private scoresFor(prefix: string): Uint8Array {
    const scores = new Uint8Array(this.people.length);
    for (let at = this.firstFrom(prefix); at < this.words.length; at++) {
      const word = this.words[at] ?? '';
      if (!word.startsWith(prefix)) break;
      const posting = this.postings[at];
      if (posting !== undefined) raise(scores, posting, word === prefix ? WHOLE_WORD : 1);
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

/** Sorted by plain keys made once: a collator takes many times as long, and nobody else waits for it gladly. */
function byName(people: readonly Person[]): Person[] {
  return people
    .map((person) => ({ person, key: `${searchWords(person.name).join(' ')} ${person.sipAddress}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ person }) => person);
}

/** Each word of a person once, with the most that it says about them. */
function weightedWords({ name, mail, sipAddress, username }: Person): Map<string, number> {
  const words = new Map<string, number>();
  for (const address of new Set([username, sipAddress.replace(/^sip:/, ''), mail ?? ''])) {
    for (const word of searchWords(address)) words.set(word, ADDRESS_WEIGHT);
  }
  for (const word of searchWords(name)) words.set(word, NAME_WEIGHT);
  return words;
}

function raise(scores: Uint8Array, { people, weights }: Posting, factor: number): void {
  for (let at = 0; at < people.length; at++) {
    const number = people[at] ?? 0;
    const score = (weights[at] ?? 0) * factor;
    if (score > (scores[number] ?? 0)) scores[number] = score;
  }
}

function keepBoth(scores: Uint8Array, others: Uint8Array): void {
  for (let number = 0; number < scores.length; number++) {
    const other = others[number] ?? 0;
    const score = scores[number] ?? 0;
    scores[number] = other === 0 || score === 0 ? 0 : score + other;
  }
}

/** Counts the scores, which are few, instead of sorting the people, who may be all. */
function bestOf(scores: Uint8Array, limit: number): { best: number[]; matches: number } {
  const counts = new Uint32Array(BEST_SCORE + 1);
  for (const score of scores) counts[score] = (counts[score] ?? 0) + 1;
  const matches = scores.length - (counts[0] ?? 0);
  const best: number[] = [];
  for (let score = BEST_SCORE; score > 0 && best.length < limit; score--) {
    if ((counts[score] ?? 0) === 0) continue;
    for (let number = scores.indexOf(score); number !== -1; number = scores.indexOf(score, number + 1)) {
      best.push(number);
      if (best.length === limit) break;
    }
  }
  return { best, matches };
}
