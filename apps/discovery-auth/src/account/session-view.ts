import type { Session as SessionView } from '@ringdown/answers/people';
import type { Session } from '../sign-in/sessions.js';

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
