/** A part of a list, and the score that its people get at least: `factor`, or the weight times `factor`. */
interface Part {
  readonly from: number;
  readonly end: number;
  readonly factor: number;
  /** Parallel to the list. */
  readonly weights?: Uint8Array;
}

/** A person who matches. */
export interface Ranked {
  readonly person: number;
  readonly score: number;
}

const MAX_SCORE = 255;
/** The limit of people: a score and a position fit into 32 bits. */
const POSITIONS = 2 ** 24;
/** If at most one of this many people matches, it is faster to scan only the matches. */
const SPARSE = 8;

/**
 * The scores of a search. A person is a position in the index. Most words belong to few people: in addition to the
 * scores of all people there is a list of those with a score, so that the others need not be scanned.
 */
export class Scores {
  /** 0 for a person who does not match. */
  private readonly scores: Uint8Array;
  /** The people who match, in any order. */
  private readonly listed: Uint32Array;
  private count = 0;
  /** How many people in the list do not match any more. */
  private dropped = 0;

  constructor(people: number) {
    this.scores = new Uint8Array(people);
    this.listed = new Uint32Array(people);
  }

  /** How many people match. */
  get matches(): number {
    return this.count - this.dropped;
  }

  clear(): void {
    this.scores.fill(0);
    this.count = 0;
    this.dropped = 0;
  }

  /** Raises the people at some positions of a list to a score, which is never 0. */
  raise(people: Uint32Array, { from, end, factor, weights }: Part): void {
    // The longest of all loops, for words that everyone has: it uses local variables.
    const { scores, listed } = this;
    let { count } = this;
    for (let at = from; at < end; at++) {
      const person = people[at] ?? 0;
      const score = weights === undefined ? factor : (weights[at] ?? 0) * factor;
      const before = scores[person] ?? 0;
      if (score <= before) continue;
      scores[person] = score;
      if (before === 0) listed[count++] = person;
    }
    this.count = count;
  }

  /** Keeps the people who are in both, with the sum of both scores. */
  keepBoth(others: Scores): void {
    const { scores, listed, count } = this;
    const more = others.scores;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const person = listed[at] ?? 0;
      const other = more[person] ?? 0;
      scores[person] = other === 0 ? 0 : (scores[person] ?? 0) + other;
      if (other > 0) listed[kept++] = person;
    }
    this.count = kept;
  }

  /** Keeps the people who are in either, with the better score. */
  keepBetter(others: Scores): void {
    for (let at = 0; at < others.count; at++) {
      const person = others.listed[at] ?? 0;
      const other = others.scores[person] ?? 0;
      const score = this.scores[person] ?? 0;
      if (other > score) this.scores[person] = other;
      if (score === 0) this.listed[this.count++] = person;
    }
  }

  /** Keeps the wanted people, with the score that they have. */
  keepOnly(isWanted: (person: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      const person = this.listed[at] ?? 0;
      if (isWanted(person)) this.listed[kept++] = person;
      else this.scores[person] = 0;
    }
    this.count = kept;
  }

  /** Removes people from the matches. */
  drop(people: Uint32Array): void {
    for (let at = 0; at < people.length; at++) {
      const person = people[at] ?? 0;
      if ((this.scores[person] ?? 0) === 0) continue;
      this.scores[person] = 0;
      this.dropped++;
    }
  }

  /** The best `limit` matches; those with the same score are in the order of the index. */
  best(limit: number): Ranked[] {
    return this.count * SPARSE < this.scores.length ? this.bestOfList(limit) : this.bestOfAll(limit);
  }

  /** Scans the matches, and keeps the best so far in order. */
  private bestOfList(limit: number): Ranked[] {
    const { scores, listed, count } = this;
    const best = new Uint32Array(limit);
    let size = 0;
    for (let at = 0; at < count; at++) {
      const person = listed[at] ?? 0;
      const score = scores[person] ?? 0;
      // A smaller value is better: the score decides first, then the position.
      const key = (MAX_SCORE - score) * POSITIONS + person;
      if (score === 0 || (size === limit && key >= (best[size - 1] ?? 0))) continue;
      let place = size < limit ? size++ : size - 1;
      for (; place > 0 && (best[place - 1] ?? 0) > key; place--) best[place] = best[place - 1] ?? 0;
      best[place] = key;
    }
    return Array.from(best.subarray(0, size), (key) => ({
      person: key % POSITIONS,
      score: MAX_SCORE - Math.floor(key / POSITIONS),
    }));
  }

  /** With many matches, the best are found quickly by a scan for each score in the order of the index. */
  private bestOfAll(limit: number): Ranked[] {
    const counts = new Uint32Array(MAX_SCORE + 1);
    const { scores, listed, count } = this;
    for (let at = 0; at < count; at++) {
      const score = scores[listed[at] ?? 0] ?? 0;
      counts[score] = (counts[score] ?? 0) + 1;
    }
    const best: Ranked[] = [];
    for (let score = MAX_SCORE; score > 0 && best.length < limit; score--) {
      if ((counts[score] ?? 0) === 0) continue;
      let person = scores.indexOf(score);
      for (; person !== -1 && best.length < limit; person = scores.indexOf(score, person + 1)) {
        best.push({ person, score });
      }
    }
    return best;
  }
}
