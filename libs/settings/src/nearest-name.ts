/** From this length on, two mistakes still distinguish a misspelled name from another one. */
const LONG = 6;

/** The known name that was meant: the same in another case, or with the fewest mistakes; undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const candidates = [...known];
  const lower = name.toLowerCase();
  const same = candidates.find((candidate) => candidate.toLowerCase() === lower);
  if (same !== undefined) return same;
  const near = candidates.filter((candidate) => isNearMiss(lower, candidate.toLowerCase()));
  const mistakes = (candidate: string): number => editDistance(lower, candidate.toLowerCase());
  return near.toSorted((a, b) => mistakes(a) - mistakes(b))[0];
}

/** Whether two names differ by one letter, or by two if they are long. */
export function isNearMiss(name: string, candidate: string): boolean {
  const isLong = Math.min(name.length, candidate.length) >= LONG;
  const mistakes = isLong ? 2 : 1;
  if (Math.abs(name.length - candidate.length) > mistakes) return false;
  if (!isLong && name[0] !== candidate[0]) return false;
  return !hasOtherLetters(name, candidate, mistakes) && editDistance(name, candidate) <= mistakes;
}

/** Whether more letters of the name are missing in the other one than edits could explain; far cheaper than the distance. */
function hasOtherLetters(name: string, other: string, most: number): boolean {
  const left = other.split('');
  let missing = 0;
  for (const letter of name) {
    const place = left.indexOf(letter);
    if (place >= 0) left[place] = '';
    else if (++missing > most) return true;
  }
  return false;
}

/** Number of edits (insert, delete, replace, swap of neighbours) that turn one name into the other. */
function editDistance(from: string, to: string): number {
  const rows: number[][] = Array.from({ length: from.length + 1 }, (_, i) =>
    Array.from({ length: to.length + 1 }, (_unused, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= from.length; i++) {
    for (let j = 1; j <= to.length; j++) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, at(i - 2, j - 2) + 1);
      }
      rows[i]?.splice(j, 1, cost);
    }
  }
  return at(from.length, to.length);
}
