import { BACKFILL_HEADER, BACKFILL_LIMIT_MS } from '@ringdown/contracts/backfill';
import type { PublishedRecord } from '@ringdown/contracts/records';
import { epochMillis } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { IncomingMessage } from 'node:http';
import type { FeedRequest } from './feed-request.js';

const HEADER = BACKFILL_HEADER.toLowerCase();

export function isBackfill({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers[HEADER] === 'true';
}

/**
 * When a record counts as received. One of a back-fill at its own time: no clock of a front end looks wrong, no call waits
 * for what was sent long ago, and the activity of the feed is where it was.
 */
export function feedRecordReceipt(
  { connection }: Pick<DiagnosticsRecord, 'connection'>,
  { receivedAt, isBackfill: isMarked }: Pick<FeedRequest, 'receivedAt' | 'isBackfill'>,
): Pick<PublishedRecord, 'receivedAt' | 'replayed'> {
  const sentAt = isMarked === true ? epochMillis(connection.timeStamp) : undefined;
  const isPast = sentAt !== undefined && sentAt <= receivedAt && sentAt >= receivedAt - BACKFILL_LIMIT_MS;
  return isPast ? { receivedAt: sentAt, replayed: true } : { receivedAt };
}
