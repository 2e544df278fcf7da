import {
  isEnd,
  isError,
  isQuality,
  isStream,
  type EndEvent,
  type Endpoint,
  type ErrorEvent,
  type QualityEvent,
  type StreamEvent,
} from '@ringdown/xml-schemas/record';
import type { CallStream } from '../call.js';
import { isOfA } from '../feed-record.js';
import type { PartyTable } from '../parties/party-table.js';
import { oppositeKey, streamKey } from './stream-key.js';
import { Stream, type StreamReport, type Track } from './stream.js';
import type { ReportedEvent } from '../life/timeline.js';

/** Audio, video and sharing in both directions are six; a fork or re-invite adds some. */
const STREAM_LIMIT = 64;

/** A stream of which a record reports more than its quality. */
export interface ExpectedStream {
  readonly key: string;
  /** The key of the same medium in the other direction. */
  readonly opposite: string;
  readonly mediaType: string | null;
  readonly ends: readonly (Endpoint | null)[];
  /** On hold at last, or agreed to carry nothing. */
  readonly isHeld: boolean;
  /** By its own start and end, if one clock saw both. */
  readonly seconds: number | undefined;
}

/** The streams of one call, each direction separately, built from what the call's records report, in order. */
export class StreamTable {
  private readonly streams = new Map<string, Stream>();
  /** Media that A reports to be on hold, undefined for all, whether their streams are known or were missed. */
  private readonly heldMedia = new Set<string | undefined>();
  private endedByError = false;

  constructor(
    reports: readonly ReportedEvent[],
    private readonly parties: PartyTable,
  ) {
    for (const report of reports) {
      const { event } = report;
      if (isStream(event)) this.change(event, report);
      else if (isEnd(event)) this.end(event, report);
      else if (isError(event)) this.fail(event, report);
      else if (isQuality(event)) this.measure(event, report);
    }
  }

  get isEmpty(): boolean {
    return this.streams.size === 0 && this.heldMedia.size === 0;
  }

  /** The media and directions that any record has reported. */
  get directions(): readonly { readonly key: string; readonly mediaType: string | null }[] {
    return [...this.streams.values()].map(({ key, mediaType = null }) => ({ key, mediaType }));
  }

  /** When the first stream started, and by which clock. */
  get start(): { readonly at: number; readonly clock: string } | undefined {
    return this.starts()[0];
  }

  /** The first start by each clock, the earliest first. */
  starts(): readonly { readonly at: number; readonly clock: string }[] {
    const first = new Map<string, Track>();
    for (const { tracks } of this.streams.values()) {
      for (const [clock, track] of tracks) {
        if (track.startAligned < (first.get(clock)?.startAligned ?? Infinity)) first.set(clock, track);
      }
    }
    return [...first]
      .sort(([a, one], [b, other]) => one.startAligned - other.startAligned || (a < b ? -1 : 1))
      .map(([clock, { startedAt = 0 }]) => ({ at: startedAt, clock }));
  }

  /** Whether every stream has its own end: A, C and D report the end of each. */
  get allEnded(): boolean {
    return this.streams.size > 0 && this.open.length === 0;
  }

  /** Whether an error ended the streams. */
  get wereEndedByError(): boolean {
    return this.endedByError && this.allEnded;
  }

  get allHeld(): boolean {
    return this.open.length > 0 ? this.open.every((stream) => stream.isHeld) : this.heldMedia.size > 0;
  }

  /** When the last stream ended by `clock`, or by any clock. */
  lastEnd(clock?: string): number | undefined {
    const ends = [...this.streams.values()].flatMap((stream) => {
      return (clock === undefined ? stream.endedAt : stream.tracks.get(clock)?.endedAt) ?? [];
    });
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** Our clock, when the end of the last stream was received. */
  get endReceivedAt(): number {
    return Math.max(...[...this.streams.values()].map((stream) => stream.endReceivedAt ?? -Infinity));
  }

  /** Our clock, when the last of the final reports on the open streams arrived; undefined while one is missing. */
  get finalReportReceivedAt(): number | undefined {
    const reported = this.open.map((stream) => stream.finalReportReceivedAt);
    return reported.length > 0 && reported.every((at) => at !== undefined) ? Math.max(...reported) : undefined;
  }

  get expected(): readonly ExpectedStream[] {
    return [...this.streams.values()].map(({ key, mediaType = null, ends, isHeld, seconds }) => {
      return { key, opposite: oppositeKey(key), mediaType, ends, isHeld, seconds };
    });
  }

  /** The two ends of a stream as its own records report them. */
  endsOf(key: string): readonly (Endpoint | null)[] {
    return this.streams.get(key)?.ends ?? [];
  }

  /** `callEndedAt`: the end of all streams without an end of their own; undefined when it is not known. */
  toStreams(
    callIsOver: boolean,
    callEndedAt: number | undefined,
    reports: ReadonlyMap<string, StreamReport>,
  ): readonly CallStream[] {
    return [...this.streams.values()].map((stream) => {
      return stream.toCallStream(this.parties, callIsOver, callEndedAt, reports.get(stream.key));
    });
  }

  private get open(): readonly Stream[] {
    return [...this.streams.values()].filter((stream) => stream.isOpen);
  }

  private change(event: StreamEvent, report: ReportedEvent): void {
    if (isHoldOfA(event, report)) return this.hold(event.mediaType);
    this.heldMedia.delete(event.mediaType);
    this.heldMedia.delete(undefined);
    this.streamOf(event, report)?.change(event, report);
  }

  private hold(mediaType: string | undefined): void {
    this.heldMedia.add(mediaType);
    for (const stream of this.ofMedium(mediaType)) stream.hold();
  }

  /** Without a direction it ends both. An end without a medium ends the call and is not handled in this table. */
  private end(event: EndEvent, report: ReportedEvent): void {
    if (event.kind === 'bye' || event.mediaType === undefined) return;
    const directed = event.from !== undefined && event.to !== undefined;
    const known = directed ? [] : this.ofMedium(event.mediaType);
    const ended = known.length > 0 ? known : [this.streamOf(event, report)];
    for (const stream of ended) stream?.end(report);
  }

  /** In A an error ends all streams of its request; later versions send their ends with it (diagnostics-feed.md, 3.1). */
  private fail(_event: ErrorEvent, report: ReportedEvent): void {
    if (!isOfA(report.source)) return;
    const { cseq } = report.source.record.connection;
    for (const stream of this.open) {
      if (cseq !== undefined && stream.cseq !== undefined && stream.cseq !== cseq) continue;
      stream.end(report);
      this.endedByError = true;
    }
  }

  private measure(event: QualityEvent, { source }: ReportedEvent): void {
    for (const stream of this.ofMedium(event.mediaType)) {
      if (event.kind === 'qualityUpdate') stream.finalReport(source.receivedAt);
      else stream.isAlive();
    }
  }

  private ofMedium(mediaType: string | undefined): readonly Stream[] {
    return [...this.streams.values()].filter((stream) => mediaType === undefined || stream.mediaType === mediaType);
  }

  private streamOf(event: StreamEvent | EndEvent, report: ReportedEvent): Stream | undefined {
    const key = streamKey(event, this.parties);
    let stream = this.streams.get(key);
    if (stream === undefined) {
      if (this.streams.size >= STREAM_LIMIT) return undefined;
      stream = new Stream(key, event);
      this.streams.set(key, stream);
    }
    stream.seenBy(report);
    return stream;
  }
}

/** While a stream is on hold, A names its endpoints without a direction (diagnostics-feed.md, 3.2). */
function isHoldOfA({ from, to }: StreamEvent, report: ReportedEvent): boolean {
  return isOfA(report.source) && from === undefined && to === undefined;
}
