import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz-run.js';

const USAGE = `Usage: npm run fuzz -- [--inputs N] [--seed N]

Gives N hostile bodies (default: 5000000) to a collector of its own, a tenth of them over HTTP, and says how they were answered. Each seed has its own
bodies; without one, another every time. Ends with 1 at the first answer that is neither 200 nor 4xx, and says the input.
`;

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

const { values } = parseArgs({ options: { inputs: { type: 'string' }, seed: { type: 'string' } } });
const inputs = Number(values.inputs ?? 5_000_000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!Number.isSafeInteger(inputs) || inputs < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  process.stdout.write(`${inputs} inputs, seed ${seed}\n`);
  const { answers, heap, seconds } = await runFuzz(inputs, seed);
  for (const [answer, count] of [...answers].toSorted(([, a], [, b]) => b - a)) {
    process.stdout.write(`${String(count).padStart(10)}  ${answer}\n`);
  }
  process.stdout.write(`${Math.round(seconds)} s, ${Math.round(inputs / seconds)} inputs/s\n`);
  process.stdout.write(`heap in use: ${megabytes(heap.early)} after a quarter, ${megabytes(heap.late)} at the end\n`);
}
