import { SIP_FAILURES_PATH_END } from '@ringdown/contracts/sip-failures';
import { TRACES_PATH_END } from '@ringdown/contracts/traces';
import { BusUnavailable } from '@ringdown/nats';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { IncomingMessage } from 'node:http';
import type { FrontEndAdmission } from './front-end-admission.js';
import { FeedRefusal, type FeedAnswer } from './feed-refusal.js';
import type { FeedRequest } from './feed-request.js';

export interface JsonInletOptions<B> {
  readonly publisher: { publish(batch: B & { readonly receivedAt: number }): Promise<void> };
  readonly admission: FrontEndAdmission;
  readonly logger: Logger;
}

/** What differs between the bodies that senders post beside records. */
export interface JsonBody<B> {
  /** Completes "… could not be stored". */
  readonly content: string;
  /** Completes "The body is not …". */
  readonly name: string;
  problemOf(value: unknown): string | undefined;
  isBody(value: unknown): value is B;
  /** Only what is known: unknown members would be stored on the bus. */
  known(body: B): B;
  /** How many things it contains. */
  countOf(body: B): number;
  onOutcome(outcome: 'stored' | 'rejected', count: number): void;
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const PATH_ENDS: readonly string[] = [TRACES_PATH_END, SIP_FAILURES_PATH_END];
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The path end of a request that contains no record, by its path and type (ADR 0052, 0061); undefined for all others. */
export function jsonPathEnd({ url = '/', headers }: IncomingMessage): string | undefined {
  const [path = ''] = url.split('?', 1);
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return undefined;
  return PATH_ENDS.find((end) => path.endsWith(`/${end}`));
}

/** The ingress of what is posted beside records: a body is published and acknowledged as a whole, or rejected. */
export class JsonInlet<B extends { readonly frontEnd: string }> {
  private readonly outage = new RateLimitedLog();

  constructor(
    private readonly options: JsonInletOptions<B>,
    private readonly kind: JsonBody<B>,
  ) {}

  /** Resolves with a 200; the content is on the bus by then. Rejects with a {@link FeedRefusal}. */
  async receive(request: FeedRequest): Promise<FeedAnswer> {
    const { kind } = this;
    const { body, receivedAt } = request;
    const read = this.read(body);
    this.options.admission.check({ frontEnds: [read.frontEnd] }, read.frontEnd, request);
    await this.publish({ ...read, receivedAt });
    const stored = kind.countOf(read);
    kind.onOutcome('stored', stored);
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ stored }) };
  }

  private async publish(batch: B & { readonly receivedAt: number }): Promise<void> {
    const { publisher, logger } = this.options;
    const { kind } = this;
    try {
      await publisher.publish(batch);
    } catch (error) {
      if (!(error instanceof BusUnavailable)) throw error;
      kind.onOutcome('rejected', kind.countOf(batch));
      this.outage.log((leftOut) =>
        logger.warn(
          { reason: error.message, frontEnd: batch.frontEnd, leftOut },
          `${kind.content} could not be stored and were answered with 503`,
        ),
      );
      throw new FeedRefusal('unavailable', 'The body cannot be stored at the moment; retry later.', { cause: error });
    }
  }

  private read(body: Uint8Array): B {
    const { kind } = this;
    const value = readJson(body);
    const problem = kind.problemOf(value);
    if (problem !== undefined) throw new FeedRefusal('bad-request', `The body is not ${kind.name}: ${problem}.`);
    if (!kind.isBody(value)) throw new FeedRefusal('bad-request');
    return kind.known(value);
  }
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new FeedRefusal('bad-request', 'The body is not JSON in UTF-8.', { cause: error });
  }
}
