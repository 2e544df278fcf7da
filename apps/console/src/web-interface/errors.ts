/** Why the web interface did not do what it was asked for (web-interface.md, section 10). */
export interface Reason {
  readonly code: string;
  readonly subcode?: string;
}

/** The server cannot be reached, or answers that it is not ready. Trying again may help. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(
    message: string,
    /** When the server wants to be asked again, milliseconds; undefined when it did not say. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The token is unknown or has expired: only signing in again helps. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';

  constructor() {
    super('You are not signed in any more.');
  }
}

/** The token service does not give a token; the message is for a person. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** The server does not do what it was asked for, and says why. The message is for a person. */
export class Refusal extends Error implements Reason {
  override readonly name = 'Refusal';
  readonly code: string;
  readonly subcode?: string;

  constructor(
    readonly status: number,
    { code, subcode }: Reason,
    message: string,
  ) {
    super(message);
    this.code = code;
    if (subcode !== undefined) this.subcode = subcode;
  }
}

/** An answer is not what the interface says it is. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}
