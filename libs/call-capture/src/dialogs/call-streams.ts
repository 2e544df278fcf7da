import type { RecordEvent } from '@ringdown/xml-schemas';
import { changesOf, endsOf, type AgreedMedium, type Parties } from '../media/agreed-media.js';

/** The streams of one call as records have reported them. */
export class CallStreams {
  private agreed: readonly AgreedMedium[] = [];
  private started = false;

  /** `isAdopted`: the start was not captured, so the first media that are seen are an update. */
  constructor(private readonly isAdopted = false) {
    this.started = isAdopted;
  }

  get media(): readonly AgreedMedium[] {
    return this.agreed;
  }

  /** Whether a record has reported that the call was answered. */
  get hasStarted(): boolean {
    return this.started;
  }

  /** The media of an accepted offer. Undefined: the offer has changed nothing. */
  change(media: readonly AgreedMedium[] | undefined, parties: Parties): readonly RecordEvent[] {
    if (!media) return [];
    const changes = changesOf(this.agreed, media, parties);
    const isFirst = this.agreed.length === 0;
    this.agreed = media;
    this.started ||= changes.length > 0;
    if (!this.isAdopted || !isFirst) return changes;
    return changes.map((event) => (event.kind === 'start' ? { ...event, kind: 'update' as const } : event));
  }

  /** The call was answered. Without audio and video the streams are of no medium; the call has a duration nevertheless. */
  start(media: readonly AgreedMedium[], parties: Parties): readonly RecordEvent[] {
    const events = this.change(media, parties);
    if (events.length > 0) return events;
    const { caller, callee } = parties;
    this.started = true;
    return [
      { kind: 'start', from: caller, to: callee, codecs: [] },
      { kind: 'start', from: callee, to: caller, codecs: [] },
    ];
  }

  /** Another device has the call now. */
  replace(media: readonly AgreedMedium[], before: Parties, after: Parties): readonly RecordEvent[] {
    const ends = this.ends(before);
    this.agreed = [];
    return [...ends, ...this.change(media, after)];
  }

  ends(parties: Parties): readonly RecordEvent[] {
    return this.agreed.flatMap((medium) => endsOf(medium, parties));
  }
}
