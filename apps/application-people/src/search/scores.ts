/** For every person how well they match; 0 who does not. A person is a position in the index. */
export type Scores = Uint8Array;

/** Gives a person at least this score. */
export function raise(scores: Scores, person: number, score: number): void {
  if (score > (scores[person] ?? 0)) scores[person] = score;
}

/** Keeps who is in both, with both scores together. */
export function keepBoth(scores: Scores, others: Scores): void {
  for (let person = 0; person < scores.length; person++) {
    const score = scores[person] ?? 0;
    if (score === 0) continue;
    const other = others[person] ?? 0;
    scores[person] = other === 0 ? 0 : score + other;
  }
}

/** Keeps who is in either, with the better score. */
export function keepBetter(scores: Scores, others: Scores): void {
  for (let person = 0; person < scores.length; person++) {
    const other = others[person] ?? 0;
    if (other > (scores[person] ?? 0)) scores[person] = other;
  }
}

/** The best `limit`, those with the same score in the order of the index, and how many match at all. */
export function bestOf(scores: Scores, limit: number): { best: number[]; matches: number } {
  // The scores are few: they are counted instead of sorting the people, who may be all.
  const counts = new Uint32Array(256);
  for (let person = 0; person < scores.length; person++) {
    const score = scores[person] ?? 0;
    counts[score] = (counts[score] ?? 0) + 1;
  }
  const best: number[] = [];
  for (let score = 255; score > 0 && best.length < limit; score--) {
    if ((counts[score] ?? 0) === 0) continue;
    for (let person = scores.indexOf(score); person !== -1; person = scores.indexOf(score, person + 1)) {
      best.push(person);
      if (best.length === limit) break;
    }
  }
  return { best, matches: scores.length - (counts[0] ?? 0) };
}
