import type { Logger } from '@ringdown/observability';
import { FEED_SYNTAX_CODES, writeRejection, type FeedSyntaxCode } from '@ringdown/xml-schemas';

/** Stable: front ends see it in the reply, operators in the log, the metrics and the list of rejected records. */
export type RefusalCode = FeedSyntaxCode | keyof typeof HTTP_REFUSALS;

/** Refusals before or besides the XML. The codes of a body that is not a feed message all mean 400. */
const HTTP_REFUSALS = {
  'bad-request': { status: 400, reason: 'The request is not proper HTTP.' },
  'address-not-allowed': { status: 403, reason: 'Requests from this address are not accepted.' },
  'origin-not-allowed': { status: 403, reason: 'Records from web pages are not accepted.' },
  'front-end-not-allowed': { status: 403, reason: 'This sender may not report for that front end.' },
  'too-many-front-ends': { status: 403, reason: 'The maximum number of front ends is reached, and this one is new.' },
  'method-not-allowed': { status: 405, reason: 'Only the method POST is supported.' },
  timeout: { status: 408, reason: 'The request took too long to arrive.' },
  'too-large': { status: 413, reason: 'The body is larger than allowed.' },
  'unsupported-media-type': { status: 415, reason: 'The body must be XML.' },
  'unsupported-encoding': { status: 415, reason: 'The body must not be compressed.' },
  'expectation-failed': { status: 417, reason: 'The only supported expectation is 100-continue.' },
  'headers-too-large': { status: 431, reason: 'The head of the request is larger than allowed.' },
  'unsupported-transfer-encoding': { status: 501, reason: 'The only supported Transfer-Encoding is chunked.' },
  internal: { status: 500, reason: 'Something went wrong on our side.' },
  unavailable: { status: 503, reason: 'Records cannot be stored at the moment; retry later.' },
} as const;

export const REFUSAL_CODES: readonly RefusalCode[] = [
  ...FEED_SYNTAX_CODES,
  ...Object.keys(HTTP_REFUSALS).filter((code) => isHttpCode(code)),
];

/** Seconds; senders begin with one second and add one after each failure. */
const RETRY_AFTER = '2';

const HEADERS: Partial<Record<RefusalCode, Readonly<Record<string, string>>>> = {
  'method-not-allowed': { allow: 'POST' },
  'unsupported-media-type': { 'accept-post': 'text/xml, application/xml' },
  'unsupported-encoding': { 'accept-encoding': 'identity' },
  unavailable: { 'retry-after': RETRY_AFTER },
};

export const FEED_TYPE = 'text/xml; charset=utf-8';

/** The response to a front end, ready to be sent. */
export interface FeedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** XML. */
  readonly body: string;
}

/** A request that is not accepted. */
export class FeedRefusal extends Error {
  override readonly name = 'FeedRefusal';

  constructor(
    readonly code: RefusalCode,
    reason: string = isHttpCode(code) ? HTTP_REFUSALS[code].reason : 'The body is not a message of the feed.',
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }

  get status(): number {
    return isHttpCode(this.code) ? HTTP_REFUSALS[this.code].status : 400;
  }

  answer(): FeedAnswer {
    return {
      status: this.status,
      headers: HEADERS[this.code] ?? {},
      body: writeRejection(this.code, this.message),
    };
  }
}

/** An error that is not a refusal is our own: it is logged, and the sender gets 500. */
export function refusalFor(thrown: unknown, logger: Logger): FeedRefusal {
  if (thrown instanceof FeedRefusal) return thrown;
  logger.error({ err: thrown }, 'request failed');
  return new FeedRefusal('internal');
}

function isHttpCode(code: string): code is keyof typeof HTTP_REFUSALS {
  return Object.hasOwn(HTTP_REFUSALS, code);
}
