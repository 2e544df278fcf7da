/** Which part of a list is meant, and by how much its people are raised there: to `factor`, or that many times a weight. */
interface Part {
  readonly from: number;
  readonly end: number;
  readonly factor: number;
  /** Beside the list. */
  readonly weights?: Uint8Array;
}

/**
 * How well people match. A person is a position in the index. Most words are those of few people: besides the score of
 * everybody there is a list of who has one, so that nobody has to look through all the others.
 */
export class Scores {
  /** 0 for who does not match. */
  private readonly scores: Uint8Array;
  /** Who matches, in any order. */
  private readonly listed: Uint32Array;
  private count = 0;

  constructor(people: number) {
    this.scores = new Uint8Array(people);
    this.listed = new Uint32Array(people);
  }

  /** How many people match. */
  get matches(): number {
    return this.count;
  }

  clear(): void {
    this.scores.fill(0);
    this.count = 0;
  }

  /** Gives the people at some positions of a list at least a score there, which is not 0. */
  raise(people: Uint32Array, { from, end, factor, weights }: Part): void {
    // The longest of all loops, for words that everybody has: it works in variables of its own.
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

  /** Keeps who is in both, with both scores together. */
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

  /** Keeps who is in either, with the better score. */
  keepBetter(others: Scores): void {
    for (let at = 0; at < others.count; at++) {
      const person = others.listed[at] ?? 0;
      const other = others.scores[person] ?? 0;
      const score = this.scores[person] ?? 0;
      if (other > score) this.scores[person] = other;
      if (score === 0) this.listed[this.count++] = person;
    }
  }

  /** Keeps who is wanted, with the score that they have. */
  keepOnly(isWanted: (person: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      const person = this.listed[at] ?? 0;
      if (isWanted(person)) this.listed[kept++] = person;
      else this.scores[person] = 0;
    }
    this.count = kept;
  }

  /** The best `limit`, those with the same score in the order of the index. */
  best(limit: number): number[] {
    // The scores are few: they are counted instead of sorting the people, who may be all.
    const counts = new Uint32Array(256);
    const { scores, listed, count } = this;
    for (let at = 0; at < count; at++) {
      const score = scores[listed[at] ?? 0] ?? 0;
      counts[score] = (counts[score] ?? 0) + 1;
    }
    const best: number[] = [];
    for (let score = 255; score > 0 && best.length < limit; score--) {
      if ((counts[score] ?? 0) === 0) continue;
      let person = scores.indexOf(score);
      for (; person !== -1 && best.length < limit; person = scores.indexOf(score, person + 1)) best.push(person);
    }
    return best;
  }
}
