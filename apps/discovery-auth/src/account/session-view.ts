import type { Session } from '../sign-in/sessions.js';

/** A session as its owner and administrators see it. */
export interface SessionView {
  readonly id: string;
  /** Whether it is the session of this request. */
  readonly current: boolean;
  readonly signedInAt: string;
  /** To within some minutes. */
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly signedInWith: 'password' | 'single-sign-on';
  /** Null for sessions of an older version. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

export function sessionView({ id, tokenHash, token, usedAt }: Session, ownHash: string | undefined): SessionView {
  return {
    id,
    current: tokenHash === ownHash,
    signedInAt: new Date(token.issuedAt).toISOString(),
    lastUsedAt: new Date(usedAt).toISOString(),
    expiresAt: new Date(token.expiresAt).toISOString(),
    signedInWith: token.sessionMark === undefined ? 'password' : 'single-sign-on',
    address: token.ip ?? null,
    userAgent: token.userAgent ?? null,
  };
}
