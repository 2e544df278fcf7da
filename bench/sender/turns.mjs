// This sender and that of another checkout, one after the other and several times: other work on the machine affects both.
import { measure } from './measured-sender.mjs';

const TURNS = 7;
/** Calls at once; the second row has all of its calls in progress at the same time. */
const CASES = [
  { name: '500 calls at once', atOnce: () => 500 },
  { name: 'all at once', atOnce: (calls) => calls },
];

/** Rows of a table, with the medians of all turns. `before`: the folder of the other checkout, which is built. */
export async function compareInTurns(before, calls) {
  const rows = [['version 1.0', 'ratio', 'least', 'most', 'before', 'now', 'MB before', 'MB now']];
  for (const { name, atOnce } of CASES) {
    const turns = [];
    for (let turn = 1; turn <= TURNS; turn++) {
      process.stderr.write(`${name}: turn ${turn} of ${TURNS} …\n`);
      const row = { version: '1.0', parts: [calls, 2 * calls], atOnce: atOnce(calls) };
      turns.push({ before: await measure({ ...row, checkout: before }), now: await measure(row) });
    }
    rows.push(rowOf(`${name}, from the start`, turns, 0), rowOf(`${name}, after that`, turns, 1));
  }
  return rows;
}

function rowOf(name, turns, part) {
  const rateOf = (measured) => measured[part].packets / measured[part].cpuSeconds;
  const ratios = turns.map(({ before, now }) => rateOf(now) / rateOf(before));
  const medians = ['before', 'now'].map((side) => median(turns.map((turn) => rateOf(turn[side]))));
  const memory = ['before', 'now'].map((side) => median(turns.map((turn) => turn[side][part].megabytes)));
  return [
    name,
    ...[median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2)),
    ...[...medians, ...memory].map((value) => Math.round(value).toLocaleString('en-US')),
  ];
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
