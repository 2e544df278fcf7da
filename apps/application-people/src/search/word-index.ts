import type { Scores } from './scores.js';
import { Shards } from './shards.js';
import { sortedInSlices, type Sliced } from './sliced.js';

/** A whole word ranks higher than the beginning of one. */
const WHOLE_WORD = 2;
const YIELD_EVERY = 4_096;

/**
 * Words in ascending order, and the people who have each of them, with the weight of the word for that person.
 * Everything is in a few flat arrays: the people of all words with the same beginning are consecutive, and a search
 * scans them once.
 */
export class WordIndex {
  private constructor(
    private readonly words: readonly string[],
    /** The position in `people` where each word begins; one entry more than there are words. */
    private readonly starts: Uint32Array,
    private readonly people: Uint32Array,
    private readonly weights: Uint8Array,
  ) {}

  static *from(entries: WordEntries): Sliced<WordIndex> {
    const { words } = entries;
    const order = yield* sortedInSlices(Uint32Array.from(words.keys()), (a, b) =>
      (words[a] ?? '') < (words[b] ?? '') ? -1 : 1,
    );
    const starts = new Uint32Array(words.length + 1);
    const next = new Uint32Array(words.length);
    const sorted: string[] = [];
    for (let rank = 0; rank < words.length; rank++) {
      const word = order[rank] ?? 0;
      sorted.push(words[word] ?? '');
      next[word] = starts[rank] ?? 0;
      starts[rank + 1] = (starts[rank] ?? 0) + (entries.uses[word] ?? 0);
      if (rank % YIELD_EVERY === 0) yield;
    }
    const people = new Uint32Array(entries.length);
    const weights = new Uint8Array(entries.length);
    for (let at = 0; at < entries.length; at++) {
      const word = entries.word(at);
      const place = next[word] ?? 0;
      next[word] = place + 1;
      people[place] = entries.person(at);
      weights[place] = entries.weight(at);
      if (at % YIELD_EVERY === 0) yield;
    }
    return new WordIndex(sorted, starts, people, weights);
  }

  /** Raises the score of everyone with a word that begins with the prefix. */
  score(prefix: string, scores: Scores): void {
    const first = this.firstFrom(prefix);
    const isWhole = this.words[first] === prefix;
    this.raise(first, isWhole ? first + 1 : first, WHOLE_WORD, scores);
    // Sorted after every word with this prefix: \uffff is not a character, so no text contains it.
    this.raise(isWhole ? first + 1 : first, this.firstFrom(`${prefix}\uffff`), 1, scores);
  }

  private raise(from: number, to: number, factor: number, scores: Scores): void {
    const { weights } = this;
    scores.raise(this.people, { from: this.starts[from] ?? 0, end: this.starts[to] ?? 0, factor, weights });
  }

  /** Position of the first word that is not before `text`. */
  private firstFrom(text: string): number {
    let low = 0;
    let high = this.words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.words[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const FIRST_ROOM = 1_024;

/** Collects the words of all people. */
export class WordEntries {
  readonly words: string[] = [];
  /** How many people have each word. */
  readonly uses: number[] = [];
  length = 0;
  private readonly numbers = new Shards();
  private entries = new Uint32Array(2 * FIRST_ROOM);
  private weights = new Uint8Array(FIRST_ROOM);

  /** Called once for each word of a person, with its weight. */
  add(word: string, person: number, weight: number): void {
    if (this.length === this.weights.length) this.grow();
    const number = this.numberOf(word);
    this.uses[number] = (this.uses[number] ?? 0) + 1;
    this.entries[2 * this.length] = number;
    this.entries[2 * this.length + 1] = person;
    this.weights[this.length] = weight;
    this.length++;
  }

  /** Position of an entry's word in {@link words}. */
  word(entry: number): number {
    return this.entries[2 * entry] ?? 0;
  }

  person(entry: number): number {
    return this.entries[2 * entry + 1] ?? 0;
  }

  weight(entry: number): number {
    return this.weights[entry] ?? 0;
  }

  private numberOf(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.push(word) - 1;
    this.numbers.set(word, number);
    return number;
  }

  private grow(): void {
    const [entries, weights] = [this.entries, this.weights];
    this.entries = new Uint32Array(2 * entries.length);
    this.entries.set(entries);
    this.weights = new Uint8Array(2 * weights.length);
    this.weights.set(weights);
  }
}
