import { ROLES, type Role } from '@ringdown/directory';

/** What is stored of a token, under its hash; only its owner has the token itself. */
export interface StoredToken {
  /** From the directory, or generated for a guest. */
  readonly username: string;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** URI of the meeting that a guest has joined. */
  readonly guestOf?: string;
  /** Identifies the sessions of an owner who signed in at the provider (docs/guides/single-sign-on.md). */
  readonly sessionMark?: string;
  /** From the provider; undefined where the roles of the directory count. */
  readonly roles?: readonly Role[];
  /** Identifies the password that the owner signed in with; undefined for a guest, and with {@link sessionMark}. */
  readonly passwordMark?: string;
  /** The address from which the owner signed in. */
  readonly ip?: string;
  /** What the owner signed in with, as it names itself. */
  readonly userAgent?: string;
  /** The last use that was stored, milliseconds since 1970; undefined until some minutes after {@link issuedAt}. */
  readonly usedAt?: number;
}

/** Throws when the value has another form, for example that of another version. */
export function parseStoredToken(value: unknown): StoredToken {
  const { username, issuedAt, expiresAt, guestOf, sessionMark, roles, passwordMark, ip, userAgent, usedAt } =
    Object(value);
  if (typeof username !== 'string' || typeof issuedAt !== 'number' || typeof expiresAt !== 'number') {
    throw new Error('a stored token has an unknown format');
  }
  return {
    username,
    issuedAt,
    expiresAt,
    ...(typeof guestOf === 'string' ? { guestOf } : {}),
    ...(typeof sessionMark === 'string' ? { sessionMark } : {}),
    ...(Array.isArray(roles) ? { roles: ROLES.filter((role) => roles.includes(role)) } : {}),
    ...(typeof passwordMark === 'string' ? { passwordMark } : {}),
    ...(typeof ip === 'string' ? { ip } : {}),
    ...(typeof userAgent === 'string' ? { userAgent } : {}),
    ...(typeof usedAt === 'number' ? { usedAt } : {}),
  };
}
