import type { Dice } from './dice.js';

/** A parser of text or bytes from outside. */
export interface FuzzedReader {
  readonly name: string;
  /** Creates an input from the random numbers; only reading it is timed. */
  readonly prepare: (dice: Dice) => PreparedInput;
}

export interface PreparedInput {
  /** May be called several times. */
  readonly read: () => unknown;
  /** The input as printable text. */
  readonly shown: () => string;
}

/** `refusals`: the errors that reading may throw; any other error is a failure. */
export function fuzzedReader<T>(
  name: string,
  inputOf: (dice: Dice) => T,
  read: (input: T) => unknown,
  refusals: readonly (abstract new (...parameters: never[]) => Error)[] = [],
): FuzzedReader {
  return {
    name,
    prepare: (dice) => {
      const input = inputOf(dice);
      return { read: () => unlessRefused(() => read(input), refusals), shown: () => shownText(input) };
    },
  };
}

function unlessRefused(
  read: () => unknown,
  refusals: readonly (abstract new (...parameters: never[]) => Error)[],
): unknown {
  try {
    return read();
  } catch (error) {
    if (refusals.some((type) => error instanceof type)) return undefined;
    throw error;
  }
}

function shownText(input: unknown): string {
  if (Buffer.isBuffer(input)) return `base64 ${input.toString('base64')}`;
  return JSON.stringify(input, (_key, value: unknown) => (Buffer.isBuffer(value) ? value.toString('latin1') : value));
}
