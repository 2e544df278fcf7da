import type { Call } from './call.js';
import type { Timeline } from './timeline.js';

export type CallLinks = Pick<Call, 'conversationId' | 'conferenceId' | 'correlationId'>;

/** The address of a conference contains its id, also when no element does (diagnostics-feed.md, 3.5). */
const CONFERENCE = /;opaque=app:conf:[^;?]*:id:([^;?\s]+)/i;

/** What links the call with others: the newest values from its records. `addresses`: of everyone on the call. */
export function linksOf({ records }: Timeline, addresses: readonly string[]): CallLinks {
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
