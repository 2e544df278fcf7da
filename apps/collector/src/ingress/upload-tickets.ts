import {
  isUploadTicket,
  readUploadsCheckReply,
  UPLOAD_TICKET_HEADER,
  UPLOADS_CHECK_PATTERN,
  type UploadsCheckRequest,
} from '@ringdown/contracts/upload-tickets';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import type { IncomingMessage } from 'node:http';
import { FeedRefusal } from './feed-refusal.js';

export interface UploadTicketsOptions {
  readonly bus: Pick<Bus, 'request'>;
  readonly logger: Logger;
  /** Milliseconds. */
  readonly now?: () => number;
}

const HEADER = UPLOAD_TICKET_HEADER.toLowerCase();
const REPLY_MS = 2_000;
/** A capture has thousands of records with one ticket. */
const KNOWN_MS = 60_000;
/** More than captures are read at the same time. */
const MAX_KNOWN = 100;
const NOT_CHECKED = 'Whether the record is of an uploaded capture cannot be checked at the moment; retry later.';

/** For which front end a post with the ticket of an uploaded capture may report: an aggregator knows it. */
export class UploadTickets {
  private readonly known = new Map<string, { readonly frontEnd: string; readonly until: number }>();
  private readonly outage = new RateLimitedLog();
  private readonly now: () => number;

  constructor(private readonly options: UploadTicketsOptions) {
    this.now = options.now ?? performance.now.bind(performance);
  }

  /** Undefined for a post without a ticket, or with one that is not valid. Rejects with a {@link FeedRefusal} during an outage. */
  async frontEndOf({ headers }: Pick<IncomingMessage, 'headers'>): Promise<string | undefined> {
    const ticket = headers[HEADER];
    if (!isUploadTicket(ticket)) return undefined;
    const known = this.known.get(ticket);
    if (known !== undefined && known.until > this.now()) return known.frontEnd;
    const frontEnd = await this.request({ ticket });
    this.known.delete(ticket);
    if (frontEnd === null) return undefined;
    const [oldest] = this.known.keys();
    if (this.known.size >= MAX_KNOWN && oldest !== undefined) this.known.delete(oldest);
    this.known.set(ticket, { frontEnd, until: this.now() + KNOWN_MS });
    return frontEnd;
  }

  private async request(request: UploadsCheckRequest): Promise<string | null> {
    const { bus, logger } = this.options;
    try {
      return readUploadsCheckReply(await bus.request(UPLOADS_CHECK_PATTERN, request, REPLY_MS)).frontEnd;
    } catch (error) {
      this.outage.log((leftOut) =>
        logger.warn({ reason: errorReason(error), leftOut }, 'the ticket of an upload could not be checked'),
      );
      throw new FeedRefusal('unavailable', NOT_CHECKED, { cause: error });
    }
  }
}
