import { TRACES_PATH_END, traceBodyProblem, isTraceBody, type TraceBody } from '@ringdown/contracts/traces';
import type { TracePublisher } from '@ringdown/feed-bus';
import { BusUnavailable } from '@ringdown/nats';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { IncomingMessage } from 'node:http';
import type { CollectorMetrics } from './collector-metrics.js';
import type { FrontEndAdmission } from './front-end-admission.js';
import { FeedRefusal, type FeedAnswer } from './feed-refusal.js';
import type { FeedRequest } from './feed-inlet.js';

export interface TraceInletOptions {
  readonly publisher: Pick<TracePublisher, 'publish'>;
  readonly admission: FrontEndAdmission;
  readonly metrics: Pick<CollectorMetrics, 'traced'>;
  readonly logger: Logger;
}

const JSON_TYPE = /^\s*application\/json\s*(?:;|$)/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether a request contains messages of calls, not a record: by the end of its path and its type (ADR 0052). */
export function isTraceRequest({ url = '/', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?', 1);
  return path.endsWith(`/${TRACES_PATH_END}`) && JSON_TYPE.test(headers['content-type'] ?? '');
}

/** The ingress of messages of calls: a batch is published and acknowledged as a whole, or rejected. */
export class TraceInlet {
  private readonly outage = new RateLimitedLog();

  constructor(private readonly options: TraceInletOptions) {}

  /** Resolves with a 200; the messages are on the bus by then. Rejects with a {@link FeedRefusal}. */
  async receive({ body, receivedAt, sentBy }: FeedRequest): Promise<FeedAnswer> {
    const traces = readBody(body);
    const { admission, metrics } = this.options;
    admission.check([traces.frontEnd], traces.frontEnd, sentBy);
    await this.publish({ ...traces, receivedAt });
    metrics.traced('stored', traces.messages.length);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stored: traces.messages.length }),
    };
  }

  private async publish(batch: TraceBody & { readonly receivedAt: number }): Promise<void> {
    const { publisher, metrics, logger } = this.options;
    try {
      await publisher.publish(batch);
    } catch (error) {
      if (!(error instanceof BusUnavailable)) throw error;
      metrics.traced('rejected', batch.messages.length);
      this.outage.log((leftOut) =>
        logger.warn(
          { reason: error.message, frontEnd: batch.frontEnd, leftOut },
          'messages of calls could not be stored and were answered with 503',
        ),
      );
      throw new FeedRefusal('unavailable', 'Messages cannot be stored at the moment; retry later.', { cause: error });
    }
  }
}

function readBody(body: Uint8Array): TraceBody {
  const value = readJson(body);
  const problem = traceBodyProblem(value);
  if (problem !== undefined) throw new FeedRefusal('bad-request', `The body is not a batch of messages: ${problem}.`);
  if (!isTraceBody(value)) throw new FeedRefusal('bad-request');
  // Only what is known: unknown members would be stored on the bus.
  const { v, frontEnd, messages } = value;
  return { v, frontEnd, messages };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch (error) {
    throw new FeedRefusal('bad-request', 'The body is not JSON in UTF-8.', { cause: error });
  }
}
