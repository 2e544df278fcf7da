/** Stable: senders and operators see these codes in responses, logs and metrics. */
export const FEED_SYNTAX_CODES = [
  'bad-encoding',
  'not-xml',
  'doctype',
  'too-deep',
  'too-many-elements',
  'too-many-attributes',
  'unknown-root',
  'missing-call-id',
  'bad-value',
] as const;
export type FeedSyntaxCode = (typeof FEED_SYNTAX_CODES)[number];

/** One-based line and column of the text. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Messages quote parts of the document, which may be a single name of many kilobytes. */
const MESSAGE_LIMIT = 200;

/**
 * The body is not a message of the diagnostics feed. The message explains what is wrong and where, in plain English.
 */
export class FeedSyntaxError extends Error {
  override readonly name = 'FeedSyntaxError';

  constructor(
    readonly code: FeedSyntaxCode,
    reason: string,
    readonly position?: TextPosition,
  ) {
    const short = reason.length > MESSAGE_LIMIT ? `${reason.slice(0, MESSAGE_LIMIT).toWellFormed()}…` : reason;
    super(position ? `${short} (line ${position.line}, column ${position.column})` : short);
  }
}
