export type HepProblem =
  | 'not-hep'
  | 'length'
  | 'chunk'
  | 'address'
  | 'no-payload'
  | 'compression'
  /** A wrong password, or none. */
  | 'password';

/** A datagram or a stream does not follow the encapsulation protocol. The message is for the log. */
export class HepError extends Error {
  override readonly name = 'HepError';

  constructor(
    readonly problem: HepProblem,
    message: string,
  ) {
    super(message);
  }
}
