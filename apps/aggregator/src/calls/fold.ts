import { admit, callExtent, type Admission } from './life/admission.js';
import { deriveCall, type CallHistory, type CallRules, type DerivedCall } from './derive-call.js';
import type { FeedRecord } from './feed-record.js';

export interface Fold extends DerivedCall, Admission {
  /** Those of the call, with the new ones. */
  readonly records: readonly FeedRecord[];
}

/** See {@link fold}. */
export type FoldCall = (
  known: readonly FeedRecord[],
  incoming: readonly FeedRecord[],
  rules?: CallRules,
  history?: CallHistory,
) => Fold;

/**
 * Adds records to a call, or makes a new call from them. Pure. A record that is already there changes nothing; of
 * copies, in whatever order they arrive, the earliest time of receipt counts.
 */
export function fold(
  known: readonly FeedRecord[],
  incoming: readonly FeedRecord[],
  rules?: CallRules,
  history?: CallHistory,
): Fold {
  const admission = admit(known, callExtent(known), incoming);
  // Each is earlier than those before it: the last one counts.
  const copies = new Map(
    admission.earlier.map(({ digest, receivedAt, feed, remoteAddress, certificateSubject }) => {
      return [digest, { receivedAt, feed, remoteAddress, certificateSubject }];
    }),
  );
  const records = [...known, ...admission.added].map((record) => {
    const earlier = copies.get(record.digest);
    return earlier === undefined ? record : { ...record, ...earlier };
  });
  return { ...deriveCall(records, rules, history), ...admission, records };
}
