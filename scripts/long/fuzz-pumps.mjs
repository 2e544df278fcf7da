// `npm run fuzz:pumps`: pump strings (a^n, nested brackets, digits then a letter, ...) for every reader of foreign text, more than in the
// tests and different each time. An input that takes more than a second of processor time ends it with 1, and prints seed and input.
//   npm run fuzz:pumps -- --inputs 100000 --seed 7 --only sender --first 4711
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, root } from '../prepare.mjs';

const WHERE = [
  'apps/aggregator',
  'apps/application-people',
  'apps/console',
  'apps/discovery-auth',
  'libs/call-capture',
  'libs/directory',
  'libs/feed-client',
];
const DEFAULT_INPUTS = 5_000_000;

const string = { type: 'string' };
const { values } = parseArgs({ options: { inputs: string, seed: string, only: string, first: string } });
const inputs = Number(values.inputs ?? DEFAULT_INPUTS);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const first = Number(values.first ?? 0);

ensureInstalled();
ensureBuilt();
const built = (...path) => import(pathToFileURL(join(root, ...path)).href);
const { fuzzReaders } = await built('libs', 'testing', 'dist', 'src', 'index.js');
const all = await Promise.all(WHERE.map((place) => built(place, 'dist', 'test', 'fuzz', 'readers.js')));
const readers = all.flatMap((module) => module.readers).filter(({ name }) => name.includes(values.only ?? ''));

console.log(`${inputs} inputs for ${readers.length} readers, seed ${seed}`);
const begun = performance.now();
const seconds = () => Math.round((performance.now() - begun) / 1_000);
const PROGRESS = 100_000;
const slowestFirst = (times) => times.toSorted((a, b) => b.slowestMs - a.slowestMs);
const onProgress = (done, times) => {
  if (done % PROGRESS !== 0) return;
  const [{ name, slowestMs, slowestInput }] = slowestFirst(times);
  console.log(`${done} in ${seconds()} s, slowest so far ${slowestMs.toFixed(1)} ms (input ${slowestInput}, ${name})`);
};
const times = fuzzReaders({ readers, inputs, seed, first, onProgress });
for (const { name, inputs: count, slowestMs, slowestInput } of slowestFirst(times)) {
  console.log(
    `${String(count).padStart(9)}  ${slowestMs.toFixed(1).padStart(7)} ms at most (input ${slowestInput})  ${name}`,
  );
}
console.log(`${inputs} inputs in ${seconds()} s`);
