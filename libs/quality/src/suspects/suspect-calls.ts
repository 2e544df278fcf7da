/** What may be wrong with a call; each has its own calls of which it is known. */
export const PROBLEMS = ['bad', 'failed', 'noAudio'] as const;

export type Problem = (typeof PROBLEMS)[number];

/** A device, a network or a server that calls have in common. */
export interface Fact<D extends string = string> {
  readonly dimension: D;
  readonly value: string;
}

export interface SuspectCall {
  /** Indexes in the facts, each once. */
  readonly facts: readonly number[];
  /** Bit n: a value of dimension n is known, also one that is no fact because few calls have it. */
  readonly known: number;
  /** Whether it had the problem; absent if that is not known. */
  readonly problems: Readonly<Partial<Record<Problem, boolean>>>;
  /** The fact of the server that refused it. */
  readonly refusedBy?: number | undefined;
}

export interface SuspectCalls<D extends string = string> {
  /** Where calls have the same facts, the one of the first dimension gives the name. */
  readonly dimensions: readonly D[];
  readonly facts: readonly Fact<D>[];
  readonly calls: readonly SuspectCall[];
  /** Calls fail at one server of those that they pass: only that one is to blame. */
  readonly refusing?: D | undefined;
}
