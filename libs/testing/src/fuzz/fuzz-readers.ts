import { Dice } from './dice.js';
import type { FuzzedReader, PreparedInput } from './fuzzed-reader.js';

export interface FuzzReadersOptions {
  readonly readers: readonly FuzzedReader[];
  /** Of all readers together, one after the other. */
  readonly inputs: number;
  /** Each seed gives other inputs. */
  readonly seed: number;
  /** The number of the first input, to repeat a single one. */
  readonly first?: number;
  /** CPU time for one input. */
  readonly limitMs?: number;
  readonly onProgress?: (done: number, times: readonly ReaderTimes[]) => void;
}

/** The longest times of one reader. */
export interface ReaderTimes {
  readonly name: string;
  readonly inputs: number;
  readonly slowestMs: number;
  readonly slowestInput: number;
}

/** An input that took too long, or on which a reader failed. The message contains how to repeat it. */
export class SlowOrFailed extends Error {
  override readonly name = 'SlowOrFailed';
}

const LIMIT_MS = 1_000;
/** A busy machine or a garbage collection does not delay the same input on every attempt. */
const TRIES = 5;
const SHOWN = 2_000;

/**
 * Throws {@link SlowOrFailed} for the first input that takes longer than the limit on every attempt, or fails
 * unexpectedly.
 */
export function fuzzReaders(options: FuzzReadersOptions): readonly ReaderTimes[] {
  const { readers, inputs, seed, first = 0, limitMs = LIMIT_MS, onProgress } = options;
  const times = readers.map(({ name }) => ({ name, inputs: 0, slowestMs: 0, slowestInput: -1 }));
  for (let index = first; index < first + inputs; index++) {
    const at = index % readers.length;
    const [reader, time] = [readers[at], times[at]];
    if (reader === undefined || time === undefined) throw new Error('the list of readers is empty');
    const ms = msOf(reader, seed, index, { worthRepeating: time.slowestMs, limitMs });
    time.inputs++;
    if (ms > time.slowestMs) Object.assign(time, { slowestMs: ms, slowestInput: index });
    if (index % 10_000 === 9_999) onProgress?.(index + 1 - first, times);
  }
  return times;
}

interface Judgement {
  /** A shorter time needs no second attempt. */
  readonly worthRepeating: number;
  readonly limitMs: number;
}

/** The shortest time of the attempts; CPU time for repeated ones. */
function msOf(reader: FuzzedReader, seed: number, index: number, { worthRepeating, limitMs }: Judgement): number {
  const input = reader.prepare(new Dice(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b)));
  const repeat = `input ${index} of seed ${seed} for "${reader.name}"`;
  const begun = performance.now();
  attempt(input, repeat);
  let least = performance.now() - begun;
  for (let tries = 1; tries < TRIES && least > worthRepeating; tries++) {
    if (tries > 1 && least < limitMs) break;
    const before = process.threadCpuUsage();
    attempt(input, repeat);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  }
  if (least < limitMs) return least;
  throw new SlowOrFailed(`${Math.round(least)} ms for ${repeat}: ${input.shown().slice(0, SHOWN)}`);
}

function attempt(input: PreparedInput, repeat: string): void {
  try {
    input.read();
  } catch (cause) {
    throw new SlowOrFailed(`${String(cause)} for ${repeat}: ${input.shown().slice(0, SHOWN)}`, { cause });
  }
}
