/** `operator`: reads calls. `reveal`: sees who took part in them. */
export type Role = 'user' | 'operator' | 'reveal';

/** Who a valid token belongs to; what token introspection answers (RFC 7662 in spirit). */
export interface Principal {
  readonly username: string;
  readonly sipAddress: string;
  readonly roles: readonly Role[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** URI of the meeting that a guest was let into; undefined for everybody who signed in with a password. */
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
