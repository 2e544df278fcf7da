// Rows measured in turns: each a few seconds long, in several rounds, so that a slow minute of the machine does not hit one row only.

export const ROUNDS = 3;
/** Figures of rounds that differ by a larger share of their median are not written to docs/performance.md. */
export const MOST_SPREAD = 0.15;

/** How often a row is measured while other programs are busy beside it. */
const TRIES = 3;
/** How often all rounds are measured while they differ too much, as often happens on a machine shared with others. */
const SETS = 4;

/**
 * Runs `rows`, pairs of a name and a function that measures, in so many rounds, every second one in reversed order. `rest` is awaited
 * after each measurement. Where `figureOf` is given, all rounds are measured again while its figures of a row differ too much, at most
 * `SETS` times. Returns the last results of each name, in the order of the rounds.
 */
export async function inRounds(rows, { rounds = ROUNDS, rest = () => Promise.resolve(), figureOf } = {}) {
  for (let sets = 1; ; sets++) {
    const results = await measuredInRounds(rows, rounds, rest);
    const doubts = figureOf === undefined ? [] : unsteady([...results].map(([name, all]) => [name, all.map(figureOf)]));
    if (doubts.length === 0 || sets === SETS) return results;
    for (const doubt of doubts) process.stderr.write(`${doubt}: all rounds are measured again\n`);
  }
}

async function measuredInRounds(rows, rounds, rest) {
  const results = new Map(rows.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 === 0 ? rows : rows.toReversed()) {
      results.get(name).push(await undisturbed(() => measure(round), rest));
    }
  }
  return results;
}

/** The first measurement beside which other programs were not busy (`others`), or the last one. */
async function undisturbed(measure, rest) {
  for (let tries = 1; ; tries++) {
    const result = await measure();
    await rest();
    if ((result.others ?? 0) <= MOST_OTHERS || tries === TRIES) return result;
    process.stderr.write(`other programs used ${Math.round(result.others * 100)} % of the machine: measured again\n`);
  }
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** `median (least to most)`: the first number of a cell is the median. */
export function cell(values, format) {
  if (values.length === 1) return format(values[0]);
  return `${format(median(values))} (${format(Math.min(...values))} to ${format(Math.max(...values))})`;
}

/** Nor those of a machine of which other programs used a larger share. */
export const MOST_OTHERS = 0.1;

/** A sentence for each of `shares`, pairs of a name and the share of other programs in its rounds, that is too large. */
export function disturbed(shares, most = MOST_OTHERS) {
  return shares.flatMap(([name, values]) => {
    const worst = Math.max(...values);
    return worst <= most ? [] : [`${name}: other programs used ${Math.round(worst * 100)} % of the machine`];
  });
}

/**
 * A sentence for each of `figures`, pairs of a name and the values of its rounds, whose rounds differ by more than `most` of their
 * median.
 */
export function unsteady(figures, most = MOST_SPREAD) {
  return figures.flatMap(([name, values]) => {
    const spread = (Math.max(...values) - Math.min(...values)) / median(values);
    if (spread <= most) return [];
    const list = values.map((value) => value.toPrecision(4)).join(', ');
    return [`${name}: rounds differ by ${Math.round(spread * 100)} % of their median (${list})`];
  });
}
