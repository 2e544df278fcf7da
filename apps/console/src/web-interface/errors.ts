import { texts } from '../texts/web-interface.js';

/** Why the server rejected a request (web-interface.md, section 10). */
export interface Reason {
  readonly code: string;
  readonly subcode?: string;
}

/** The server cannot be reached, or is not ready. A retry may succeed. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'; // not shown: the name of the class

  constructor(
    message: string,
    /** When to retry, milliseconds; undefined if the server did not specify it. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The token is unknown or has expired: the user must sign in again. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';

  constructor() {
    super(texts.signedOut);
  }
}

/** The token service rejects the sign-in; the message is for the user. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
}

/** The server rejects a request with a reason. The message is for the user. */
export class RequestRefused extends Error implements Reason {
  override readonly name = 'RequestRefused';
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

/** An answer does not follow the interface. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}
