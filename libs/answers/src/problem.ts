import type { Integer, Text } from './values.js';

export interface WrongParameter {
  readonly name: string;
  readonly reason: Text;
  /**
   * Stable, where the reason is worded by clients as well: the broken rule of a new password, `same` for one that
   * is the current one; or what a parameter has to be: `choice` is one of the values in the reason, `period` a span
   * of time, `order` a value on the right side of that of another parameter, and `conflict` one that must not be
   * given together with another
   */
  readonly code?:
    | 'length'
    | 'characters'
    | 'known'
    | 'monotonous'
    | 'names'
    | 'same'
    | 'unknown'
    | 'missing'
    | 'repeated'
    | 'choice'
    | 'time'
    | 'period'
    | 'number'
    | 'text'
    | 'words'
    | 'order'
    | 'conflict';
}

/** Problem details (RFC 9457) */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: Integer;
  /** Stable */
  readonly code:
    | 'bad-parameter'
    | 'bad-cursor'
    | 'no-such-call'
    | 'no-such-front-end'
    | 'no-such-search'
    | 'not-your-search'
    | 'too-many-searches'
    | 'no-such-rule'
    | 'no-such-alert'
    | 'too-many-rules'
    | 'rule-from-file'
    | 'no-such-limit'
    | 'too-many-limits'
    | 'precondition-failed'
    | 'precondition-required'
    | 'no-such-capture'
    | 'no-room-for-capture'
    | 'too-many-captures'
    | 'may-not-reveal'
    | 'may-not-upload'
    | 'may-search-tokens-only'
    | 'too-much'
    | 'too-many-exports'
    | 'too-many-readers'
    | 'answer-too-slow'
    | 'too-many-long-queries-of-user'
    | 'too-many-exports-of-user'
    | 'too-many-readers-of-user'
    | 'malformed'
    | 'unauthorized'
    | 'forbidden'
    | 'not-found'
    | 'method-not-allowed'
    | 'not-acceptable'
    | 'timeout'
    | 'too-large'
    | 'unsupported-media-type'
    | 'too-many-requests'
    | 'internal'
    | 'unavailable'
    | 'wrong-password'
    | 'password-elsewhere'
    | 'no-password'
    | 'changed-meanwhile'
    | 'no-such-session'
    | 'no-identity'
    | 'no-such-person'
    | 'username-in-use'
    | 'sip-address-in-use'
    | 'foreign-domain'
    | 'rename-interrupted'
    | 'unknown-contact'
    | 'last-admin'
    | 'own-account'
    | 'people-elsewhere';
  /** The problem, as a text for people */
  readonly detail: Text;
  /** @minItems 1 */
  readonly parameters?: readonly WrongParameter[];
}

/** Stable */
export type FeedRefusalCode =
  | 'bad-encoding'
  | 'not-xml'
  | 'doctype'
  | 'too-deep'
  | 'too-many-elements'
  | 'too-many-attributes'
  | 'unknown-root'
  | 'missing-call-id'
  | 'bad-value'
  | 'bad-request'
  | 'address-not-allowed'
  | 'origin-not-allowed'
  | 'front-end-not-allowed'
  | 'too-many-front-ends'
  | 'method-not-allowed'
  | 'timeout'
  | 'too-large'
  | 'unsupported-media-type'
  | 'unsupported-encoding'
  | 'unsupported-transfer-encoding'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'internal'
  | 'unavailable';

export type PasswordRuleCode = 'length' | 'characters' | 'known' | 'monotonous' | 'names';
