import { hash } from 'node:crypto';
import { callKey } from '../call-keys.js';
import type { Call } from '../call.js';
import type { Timeline } from './timeline.js';

/** Our sender may hash Call-IDs (`CALL_ID_FORM`), but not those in headers. */
const HASH_DIGITS = 32;

/** Keys of the calls that this one has replaced: `Replaces` begins with a Call-ID (RFC 3891). */
export function replacedCallKeys({ details }: Pick<Call, 'details'>): readonly string[] {
  const callIds = (details.replaces ?? []).flatMap((header) => header.split(';', 1)[0]?.trim() || []);
  return callIds.flatMap((callId) => [callKey(callId), hash('sha256', callId, 'hex').slice(0, HASH_DIGITS)]);
}

export type CallLinks = Pick<Call, 'conversationId' | 'conferenceId' | 'correlationId'>;

/** The address of a conference contains its id, also when no element does (diagnostics-feed.md, 3.5). */
const CONFERENCE = /;opaque=app:conf:[^;?]*:id:([^;?\s]+)/i;

/** What links the call with others: the newest values from its records. `addresses`: of everyone on the call. */
export function callLinks({ records }: Timeline, addresses: readonly string[]): CallLinks {
  const last = (field: 'conversationId' | 'conferenceId' | 'correlationId' | 'conferenceUri'): string | null =>
    records.reduce<string | null>((known, { record }) => record.connection[field] ?? known, null);
  const uris = [last('conferenceUri') ?? '', ...addresses];
  const ofAddress = uris.map((uri) => CONFERENCE.exec(uri)?.[1]).find((id) => id !== undefined);
  return {
    conversationId: last('conversationId'),
    conferenceId: last('conferenceId') ?? ofAddress ?? null,
    correlationId: last('correlationId'),
  };
}
