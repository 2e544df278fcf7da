/** Not durable: the hash of a token that is no longer valid. */
export const TOKENS_REVOKED_SUBJECT = 'ringdown.tokens.revoked';

export interface TokenRevoked {
  /** SHA-256 of the token, hexadecimal. */
  readonly tokenHash: string;
}

/** Request and reply: the owner of a token. */
export const TOKENS_INTROSPECT_PATTERN = 'ringdown.tokens.introspect';
