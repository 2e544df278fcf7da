/** What is kept of a token, under its hash; the token itself is nowhere but with its owner. */
export interface StoredToken {
  /** Of the directory, or made up for a guest. */
  readonly username: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** URI of the meeting that a guest was let into. */
  readonly guestOf?: string;
  /** Stands for the password that its owner signed in with; undefined where nothing is known of it. */
  readonly passwordMark?: string;
}

/** Throws when the value has another form, as of another version. */
export function parseStoredToken(value: unknown): StoredToken {
  const { username, issuedAt, expiresAt, guestOf, passwordMark } = Object(value);
  if (typeof username !== 'string' || typeof issuedAt !== 'number' || typeof expiresAt !== 'number') {
    throw new Error('a stored token has another form than this version writes');
  }
  return {
    username,
    issuedAt,
    expiresAt,
    ...(typeof guestOf === 'string' ? { guestOf } : {}),
    ...(typeof passwordMark === 'string' ? { passwordMark } : {}),
  };
}
