import type { RecordEvent } from '@ringdown/xml-schemas/record';

/** The parties of a {@link PlayedCall}, the media of its start and the events of its end, as records describe them. */
export const alice = { id: 'a1', uri: 'sip:alice@example.test', contact: 'sip:alice@192.0.2.10' };
export const bob = { id: 'b1', uri: 'sip:bob@example.test', contact: 'sip:bob@192.0.2.20' };
export const STARTS = ['start audio', 'start audio'];
export const ENDS = ['ended audio', 'ended audio', 'bye'];

/** Kind and medium of each event. */
export function words(events: readonly RecordEvent[]): string[] {
  return events.map((event) =>
    ['kind' in event ? event.kind : '', 'mediaType' in event ? event.mediaType : ''].join(' ').trim(),
  );
}
