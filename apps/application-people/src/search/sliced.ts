import { setImmediate as afterOthers, setTimeout as sleep } from 'node:timers/promises';

/** Work that yields often, so that other work can run in between; it returns its result. */
export type Sliced<T> = Generator<void, T, void>;

/** How long other work waits at most for a slice of this one, milliseconds. */
const SLICE_MS = 3;
const RUN = 512;
const STEPS = 8_192;

export interface SlicedOptions {
  /** Stops the work with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Pause after each slice in milliseconds, so that the work does not use all of the processor. */
  readonly pauseMs?: number;
}

/** Does the work a few milliseconds at a time. */
export async function inSlices<T>(work: Sliced<T>, { signal, pauseMs = 0 }: SlicedOptions = {}): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < until);
    await (pauseMs > 0 ? sleep(pauseMs) : afterOthers());
    signal?.throwIfAborted();
  }
}

/** Does the work at once. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Sorts the numbers in ascending order by `compare`, like `Array.prototype.sort` but in small steps: short runs are
 * sorted, then merged two by two.
 */
export function* sortedInSlices(numbers: Uint32Array, compare: (a: number, b: number) => number): Sliced<Uint32Array> {
  let from: Uint32Array = numbers;
  let to: Uint32Array = new Uint32Array(numbers.length);
  for (let start = 0; start < from.length; start += RUN) {
    from.subarray(start, start + RUN).sort(compare);
    yield;
  }
  for (let width = RUN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      yield* merged(from, to, { start, middle: start + width, end: Math.min(start + 2 * width, from.length) }, compare);
    }
    [from, to] = [to, from];
  }
  return from;
}

interface Runs {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

function* merged(
  from: Uint32Array,
  to: Uint32Array,
  { start, middle, end }: Runs,
  compare: (a: number, b: number) => number,
): Sliced<void> {
  let left = start;
  let right = middle;
  for (let at = start; at < end; at++) {
    const a = from[left] ?? 0;
    const b = from[right] ?? 0;
    const isLeftNext = right >= end || (left < middle && compare(a, b) <= 0);
    to[at] = isLeftNext ? a : b;
    if (isLeftNext) left++;
    else right++;
    if (at % STEPS === 0) yield;
  }
}
