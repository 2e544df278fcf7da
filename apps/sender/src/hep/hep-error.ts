export type HepProblem =
  | 'not-hep'
  | 'length'
  | 'chunk'
  | 'address'
  | 'no-payload'
  | 'compression'
  /** Another password than the one that is set, or none. */
  | 'password';

/** A datagram or a stream is not what the encapsulation protocol says. The message is for the log. */
export class HepError extends Error {
  override readonly name = 'HepError';

  constructor(
    readonly problem: HepProblem,
    message: string,
  ) {
    super(message);
  }
}
