import { hostileBody } from './hostile-bodies.js';

/** How often each reply came: `200`, or the code of the refusal. */
export type Answers = ReadonlyMap<string, number>;

/** A reply that is neither 200 nor 4xx, or no reply. The message says how to reproduce the input. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
}

/** Throws {@link FuzzFailure} for a reply that is not allowed. */
export function answerCode(status: number, body: string, seed: number, index: number): string {
  if (status === 200) return '200';
  if (status < 400 || status > 499) throw new FuzzFailure(`${status} is the answer ${fuzzInputText(seed, index)}`);
  return /<Code>([a-z-]+)</.exec(body)?.[1] ?? String(status);
}

/** How to reproduce the input. */
export function fuzzInputText(seed: number, index: number): string {
  return `of input ${index} (seed ${seed}): ${hostileBody(seed, index).toString('base64').slice(0, 4_000)}`;
}
