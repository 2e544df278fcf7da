import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { SentBy } from './records.js';

/** Longer subjects of certificates are cut: keys of stores have a limit. */
const MAX_FEED = 255;

/**
 * The feed that a record belongs to: one sender with one clock, whose replies are counted together. A pool or a list of
 * front ends is shared by several senders, so a list in D does not name one. Empty when nothing is known of the sender.
 */
export function recordFeed(
  { version, connection }: Pick<DiagnosticsRecord, 'version' | 'connection'>,
  sentBy: SentBy,
): string {
  const { frontEnds, sourcePool } = connection;
  const [first, second] = frontEnds;
  // `SourcePool` of C is deprecated in D, which may have it beside its lists.
  const named = first !== undefined && (second === undefined || version === '1.0') ? first : undefined;
  return named ?? (version === 'D' ? undefined : sourcePool) ?? feedOfSender(sentBy);
}

/** The feed of a request without a record. */
export function feedOfSender({ certificateSubject, remoteAddress }: SentBy): string {
  return (certificateSubject ?? remoteAddress ?? '').slice(0, MAX_FEED).toWellFormed();
}
