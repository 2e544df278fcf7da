/** `operator`: reads calls. `reveal`: sees the participants. `admin`: changes people. */
export type Role = 'user' | 'operator' | 'reveal' | 'admin';

/** The owner of a valid token; the result of token introspection (similar to RFC 7662). */
export interface Principal {
  readonly username: string;
  readonly sipAddress: string;
  readonly roles: readonly Role[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** URI of the meeting to which a guest was admitted; undefined for people who signed in with a password. */
  readonly guestOf?: string;
}

/** Request of the pattern TOKENS_INTROSPECT_PATTERN. The token itself never leaves the service that received it. */
export interface IntrospectionRequest {
  readonly tokenHash: string;
}

/** `principal` is null for a token that is unknown, expired or revoked. */
export interface IntrospectionReply {
  readonly principal: Principal | null;
}
