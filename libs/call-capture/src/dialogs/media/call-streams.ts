import type { RecordEvent } from '@ringdown/xml-schemas/record';
import {
  mediaChangeEvents,
  endedMediumEvents,
  otherSide,
  type AgreedMedium,
  type Parties,
  type Side,
} from '../../media/agreed-media.js';
import type { HeldDirection } from '../../rtp/hold-watch.js';

/** The streams of one call as records have reported them. */
export class CallStreams {
  private agreed: readonly AgreedMedium[] = [];
  private started = false;
  /** The media as the parties agreed on them, if packets have shown that something flows that should not. */
  private signalled: readonly AgreedMedium[] | undefined;

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
    // A session refresh repeats a hold that packets have ended.
    if (this.signalled && mediaChangeEvents(this.signalled, media, parties).length === 0) return [];
    this.signalled = undefined;
    const changes = mediaChangeEvents(this.agreed, media, parties);
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

  /** Packets flow in these directions, whatever the session descriptions say. */
  resume(flowing: readonly HeldDirection[], parties: Parties): readonly RecordEvent[] {
    const before = this.agreed;
    this.signalled ??= before;
    this.agreed = before.map((medium) => {
      const own = flowing.filter(({ place }) => place === medium.place);
      return own.reduce((resumed, { receiver }) => withFlow(resumed, receiver), medium);
    });
    return mediaChangeEvents(before, this.agreed, parties);
  }

  /** Another device has the call now. */
  replace(media: readonly AgreedMedium[], before: Parties, after: Parties): readonly RecordEvent[] {
    const ends = this.ends(before);
    this.agreed = [];
    this.signalled = undefined;
    return [...ends, ...this.change(media, after)];
  }

  ends(parties: Parties): readonly RecordEvent[] {
    return this.agreed.flatMap((medium) => endedMediumEvents(medium, parties));
  }
}

function withFlow(medium: AgreedMedium, receiver: Side): AgreedMedium {
  const sender = otherSide(receiver);
  return {
    ...medium,
    [sender]: { ...medium[sender], sends: true },
    [receiver]: { ...medium[receiver], receives: true },
  };
}
