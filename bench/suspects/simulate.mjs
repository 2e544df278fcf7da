// Days of the demo's company in memory, with a culprit and without, ranked in several orders (docs/adr/0097).
//   npm run build && node bench/suspects/simulate.mjs [--days 200] [--first-seed 1]
// Constants of libs/quality/src/suspects are chosen with seeds 1 to 500; the specification of apps/ringdown proves them with others.
import { parseArgs } from 'node:util';
import { chooseCulprit } from '../../apps/demo/dist/src/calls/index.js';
import { culpritDay, isFirst } from '../../apps/ringdown/dist/test/culprit-days.js';
import { evidence } from '../../libs/quality/dist/src/suspects/evidence.js';
import { newcombe } from '../../libs/quality/dist/src/suspects/newcombe.js';
import { troubledShare } from '../../libs/quality/dist/src/suspects/tally.js';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '200' }, 'first-seed': { type: 'string', default: '1' } },
});
const [days, first] = [Number(values.days), Number(values['first-seed'])];

/** By what the first of several suspects is chosen; all of them have passed the same gate. */
const ORDERS = {
  evidence,
  'troubled calls': ({ troubled }) => troubled,
  share: (inside) => troubledShare(inside),
  'lower limit of the excess': (inside, elsewhere) => newcombe(inside, elsewhere).low,
  'excess in calls': (inside, elsewhere) => inside.troubled - inside.calls * troubledShare(elsewhere),
};

const seeds = Array.from({ length: days }, (_, n) => first + n);
const found = Object.fromEntries(Object.keys(ORDERS).map((order) => [order, 0]));
const missed = [];
for (const seed of seeds) {
  const culprit = chooseCulprit('random', seed);
  for (const [order, score] of Object.entries(ORDERS)) {
    const day = culpritDay(seed, culprit, score);
    if (isFirst(day, culprit)) found[order]++;
    else if (order === 'evidence')
      missed.push(
        `${seed}: ${culprit.kind} ${culprit.value} in ${Math.round(100 * culprit.share)} %, found ${named(day.suspects[0])}`,
      );
  }
}
const accused = seeds.flatMap((seed) => culpritDay(seed, undefined).suspects.map((each) => `${seed}: ${named(each)}`));

console.log(`The culprit is the first suspect in so many of ${days} days:`);
for (const [order, count] of Object.entries(found)) console.log(`  ${order}: ${count}`);
console.log(`Missed by the evidence:\n  ${missed.join('\n  ') || 'none'}`);
console.log(`Accused in ${days} days without a culprit:\n  ${accused.join('\n  ') || 'nobody'}`);

function named(suspect) {
  if (suspect === undefined) return 'nobody';
  const { problem, dimension, value, calls, troubled } = suspect;
  return `${problem} ${dimension} ${value} (${troubled} of ${calls})`;
}
