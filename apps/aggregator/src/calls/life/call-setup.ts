import { isInvite, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import type { Call } from '../call.js';
import { reportsOfKind } from './event-kinds.js';
import { isoTime } from '../streams/report-source.js';
import type { StreamTable } from '../streams/stream-table.js';
import type { Timeline } from './timeline.js';

export type CallSetup = Pick<Call, 'invitedAt' | 'setupSeconds' | 'ringSeconds' | 'postDialSeconds'>;

/** A telephone that rings for a day is a mistake of its sender. */
const LONGEST_MS = 86_400_000;

/** From the invitation to the first media. Times of two clocks are never subtracted. */
export function setupOf({ events, records }: Timeline, streams: StreamTable): CallSetup {
  const invitations = reportsOfKind(events, isInvite);
  const starts = streams.starts();
  const first = invitations.find(({ clock }) => clock === starts[0]?.clock) ?? invitations[0];
  const setups = starts.flatMap((start) => {
    const invited = invitations.find(({ clock }) => clock === start.clock);
    return invited === undefined || start.at < invited.at ? [] : start.at - invited.at;
  });
  return {
    invitedAt: first === undefined ? null : isoTime(first.at),
    // A front end that missed the first invitation of several knows a shorter time.
    setupSeconds: setups.length === 0 ? null : Math.max(...setups) / 1_000,
    ringSeconds: measured(
      records.map(({ record }) => record),
      'RingTime',
    ),
    postDialSeconds: measured(
      records.map(({ record }) => record),
      'PostDialDelay',
    ),
  };
}

/** Milliseconds that our sender has measured (docs/records.md, "Extensions of our sender"), in seconds. */
function measured(records: readonly DiagnosticsRecord[], element: string): number | null {
  for (const { connection } of records) {
    const text = connection.further?.[element];
    const millis = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
    if (millis !== undefined && millis <= LONGEST_MS) return millis / 1_000;
  }
  return null;
}
