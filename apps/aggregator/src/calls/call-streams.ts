import {
  isEnd,
  isStream,
  type Bandwidth,
  type Codec,
  type Endpoint,
  type EndEvent,
  type RecordEvent,
  type StreamEvent,
} from '@ringdown/xml-schemas';
import type { CallStream, Verdict } from './call.js';
import { frontEndKey } from './call-keys.js';
import { reportsOf } from './event-kinds.js';
import type { ReportedEvent } from './feed-record.js';
import { mergeEndpoints, type PartyTable } from './party-table.js';
import { isoTime } from './report-source.js';
import { streamKey } from './stream-key.js';

/** Audio, video and sharing in both directions are six; a fork or re-invite adds some. */
const STREAM_LIMIT = 64;

/** What one clock says of a stream. Another front end may be seconds off, so each is followed by itself. */
interface Track {
  startedAt: number | undefined;
  endedAt: number | undefined;
}

interface Stream {
  readonly key: string;
  readonly mediaType: string | undefined;
  from: Endpoint | undefined;
  to: Endpoint | undefined;
  protocol: string | undefined;
  codecs: readonly Codec[];
  bandwidth: Bandwidth | undefined;
  readonly tracks: Map<string, Track>;
  readonly frontEnds: Map<string, string>;
}

/** The streams of one call, each direction by itself, built from what the call's records report, in order. */
export class StreamTable {
  private readonly streams = new Map<string, Stream>();

  constructor(
    reports: readonly ReportedEvent[],
    private readonly parties: PartyTable,
  ) {
    for (const report of reportsOf(reports, isStreamOrEnd)) {
      const { event } = report;
      if (isStream(event)) this.change(event, report);
      else if (event.kind === 'ended' && event.mediaType !== undefined) this.end(event, report);
    }
  }

  get size(): number {
    return this.streams.size;
  }

  /** When the first stream started, and by which clock. */
  get start(): { at: number; clock: string } | undefined {
    return this.starts()[0];
  }

  /** The first start by each clock, the earliest first. */
  starts(): readonly { at: number; clock: string }[] {
    const first = new Map<string, number>();
    for (const { tracks } of this.streams.values()) {
      for (const [clock, { startedAt = Infinity }] of tracks) {
        first.set(clock, Math.min(startedAt, first.get(clock) ?? Infinity));
      }
    }
    return [...first]
      .filter(([, at]) => at !== Infinity)
      .map(([clock, at]) => ({ at, clock }))
      .sort((a, b) => a.at - b.at || (a.clock < b.clock ? -1 : 1));
  }

  /** Whether every stream has its own end (C and D); when the last one ended by `clock`, or by any. */
  get allEnded(): boolean {
    return this.size > 0 && [...this.streams.values()].every((stream) => endOf(stream) !== undefined);
  }

  lastEnd(clock?: string): number | undefined {
    const ends = [...this.streams.values()].flatMap((stream) => {
      return (clock === undefined ? endOf(stream) : stream.tracks.get(clock)?.endedAt) ?? [];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  get allHeld(): boolean {
    const open = [...this.streams.values()].filter((stream) => endOf(stream) === undefined);
    return open.length > 0 && open.every(isHeld);
  }

  /** `callEndedAt`: ends all streams that have no end of their own. */
  toStreams(callEndedAt: number | undefined, verdicts: ReadonlyMap<string, Verdict>): readonly CallStream[] {
    return [...this.streams.values()].map((stream) => {
      const starts = [...stream.tracks.values()].flatMap(({ startedAt }) => startedAt ?? []);
      const endedAt = endOf(stream) ?? callEndedAt;
      return {
        mediaType: stream.mediaType ?? null,
        from: this.parties.complete(stream.from),
        to: this.parties.complete(stream.to),
        state: endedAt !== undefined ? 'ended' : isHeld(stream) ? 'held' : 'active',
        startedAt: starts.length === 0 ? null : isoTime(Math.min(...starts)),
        endedAt: endedAt === undefined ? null : isoTime(endedAt),
        protocol: stream.protocol ?? null,
        codecs: stream.codecs,
        bandwidth: stream.bandwidth ?? null,
        frontEnds: [...stream.frontEnds.values()],
        verdict: verdicts.get(stream.key) ?? 'unknown',
      };
    });
  }

  private change(event: StreamEvent, report: ReportedEvent): void {
    const stream = this.streamOf(event, report);
    if (stream === undefined) return;
    if (event.from) stream.from = mergeEndpoints(stream.from, event.from);
    if (event.to) stream.to = mergeEndpoints(stream.to, event.to);
    stream.protocol = event.protocol ?? stream.protocol;
    stream.bandwidth = event.bandwidth ?? stream.bandwidth;
    if (event.codecs.length > 0) stream.codecs = event.codecs;
    const track = trackOf(stream, report.clock);
    if (event.kind !== 'update') track.startedAt ??= report.at;
    track.endedAt = undefined;
  }

  /** Without a direction it ends both. */
  private end(event: EndEvent, report: ReportedEvent): void {
    const directed = event.from !== undefined && event.to !== undefined;
    const own = directed ? undefined : [...this.streams.values()].filter((s) => s.mediaType === event.mediaType);
    const ended = own !== undefined && own.length > 0 ? own : [this.streamOf(event, report)];
    for (const stream of ended) {
      if (stream === undefined) continue;
      note(stream, report);
      trackOf(stream, report.clock).endedAt ??= report.at;
    }
  }

  private streamOf(event: StreamEvent | EndEvent, report: ReportedEvent): Stream | undefined {
    const key = streamKey(event, this.parties);
    let stream = this.streams.get(key);
    if (stream === undefined) {
      if (this.size >= STREAM_LIMIT) return undefined;
      stream = {
        key,
        mediaType: event.mediaType,
        from: event.from,
        to: event.to,
        protocol: undefined,
        codecs: [],
        bandwidth: undefined,
        tracks: new Map(),
        frontEnds: new Map(),
      };
      this.streams.set(key, stream);
    }
    note(stream, report);
    return stream;
  }
}

function isStreamOrEnd(event: RecordEvent): event is StreamEvent | EndEvent {
  return isStream(event) || isEnd(event);
}

function note(stream: Stream, { source }: ReportedEvent): void {
  for (const name of source.record.connection.frontEnds) {
    if (!stream.frontEnds.has(frontEndKey(name))) stream.frontEnds.set(frontEndKey(name), name);
  }
}

function trackOf(stream: Stream, clock: string): Track {
  const track = stream.tracks.get(clock) ?? { startedAt: undefined, endedAt: undefined };
  stream.tracks.set(clock, track);
  return track;
}

/** One front end that saw the end is enough: the other may have lost its record. */
function endOf({ tracks }: Stream): number | undefined {
  const ends = [...tracks.values()].flatMap(({ endedAt }) => endedAt ?? []);
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The codecs stay listed, but the sender reckons with no traffic (diagnostics-feed.md, 3.2). */
function isHeld({ bandwidth }: Stream): boolean {
  return bandwidth?.average === 0 && bandwidth.maximum === 0;
}
