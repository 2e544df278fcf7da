import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import type { Bandwidth, Codec, Endpoint, Parties, StreamEvent } from '@ringdown/xml-schemas/record';
import type { CallQuality, CallStream } from '../call.js';
import { frontEndKey } from '../call-keys.js';
import { mediaPath } from './media-path.js';
import { mergeEndpoints, mergeExtensions, withBoundedExtensions } from '../parties/merge-endpoints.js';
import type { PartyTable } from '../parties/party-table.js';
import { isoTime, NAMES_LIMIT } from './report-source.js';
import type { ReportedEvent } from '../life/timeline.js';

/**
 * What one clock reports about a stream. Another front end may differ by seconds, so each clock is tracked separately.
 */
export interface Track {
  readonly group: string;
  startedAt: number | undefined;
  /** The start, for comparing with what other clocks report. */
  startAligned: number;
  endedAt: number | undefined;
}

/** What a stream takes from the reports on it. */
export type StreamReport = Pick<CallQuality, 'from' | 'to' | 'verdict' | 'connectivity'>;

/** One medium in one direction. Its events are added in order. */
export class Stream {
  readonly tracks = new Map<string, Track>();
  /** Number of the request that last changed it. */
  cseq: number | undefined;
  readonly mediaType: string | undefined;
  private from: Endpoint | undefined;
  private to: Endpoint | undefined;
  private protocol: string | undefined;
  private headers: Pick<StreamEvent, 'referredBy' | 'replaces' | 'via' | 'further'> = {};
  private codecs: readonly Codec[] = [];
  private bandwidth: Bandwidth | undefined;
  /** The sender expects no traffic. The bandwidth is that of before. */
  private hasNoBandwidth = false;
  private isInactive = false;
  /** Groups of clocks by which it has ended, with our time when the end was received. */
  private readonly endedIn = new Map<string, number>();
  private readonly frontEnds = new Map<string, string>();
  private lastFinalReportAt: number | undefined;

  constructor(
    readonly key: string,
    { mediaType, from, to }: Parties,
  ) {
    this.mediaType = mediaType;
    this.from = from && withBoundedExtensions(from);
    this.to = to && withBoundedExtensions(to);
  }

  get ends(): readonly (Endpoint | null)[] {
    return [this.from ?? null, this.to ?? null];
  }

  /** One front end that saw the end is enough: the other may have lost its record. */
  get isOpen(): boolean {
    return this.endedIn.size === 0;
  }

  /** The codecs are still listed, but the sender does not expect traffic (diagnostics-feed.md, 3.2). */
  get isHeld(): boolean {
    return this.isInactive || this.hasNoBandwidth;
  }

  /** The clock that saw the start first, or any clock when none did. */
  private get firstTrack(): Track | undefined {
    return [...this.tracks.values()].reduce<Track | undefined>((first, track) => {
      return first === undefined || track.startAligned < first.startAligned ? track : first;
    }, undefined);
  }

  get startedAt(): number | undefined {
    return this.firstTrack?.startedAt;
  }

  /** By the clock that saw the start, if it also saw the end. */
  get endedAt(): number | undefined {
    if (this.isOpen) return undefined;
    return this.firstTrack?.endedAt ?? Math.min(...[...this.tracks.values()].flatMap(({ endedAt }) => endedAt ?? []));
  }

  /** By the clock that saw its start, if it also saw its end. */
  get seconds(): number | undefined {
    const { startedAt, endedAt } = this.firstTrack ?? {};
    return startedAt === undefined || endedAt === undefined ? undefined : (endedAt - startedAt) / 1_000;
  }

  get endReceivedAt(): number | undefined {
    return this.isOpen ? undefined : Math.min(...this.endedIn.values());
  }

  /** Our clock. A client sends its final report when the stream is over, also when the record of its end was lost. */
  get finalReportReceivedAt(): number | undefined {
    return this.lastFinalReportAt;
  }

  seenBy({ source }: ReportedEvent): void {
    for (const name of source.record.connection.frontEnds) {
      if (this.frontEnds.size >= NAMES_LIMIT) return;
      if (!this.frontEnds.has(frontEndKey(name))) this.frontEnds.set(frontEndKey(name), name);
    }
  }

  change(event: StreamEvent, report: ReportedEvent): void {
    if (event.from) this.from = mergeEndpoints(this.from, event.from);
    if (event.to) this.to = mergeEndpoints(this.to, event.to);
    this.protocol = event.protocol ?? this.protocol;
    if (event.bandwidth) this.changeBandwidth(event.bandwidth);
    // Only zero is hold: a codec whose bandwidth the sender does not know has none.
    else if (event.codecs.length > 0) this.hasNoBandwidth = false;
    if (event.codecs.length > 0) this.codecs = event.codecs;
    this.changeHeaders(event);
    this.cseq = report.source.record.connection.cseq ?? this.cseq;
    this.isInactive = false;
    this.lastFinalReportAt = undefined;
    // A stream that resumes has not ended, regardless of which front end of the group reports it.
    if (this.endedIn.delete(report.group)) {
      for (const track of this.tracks.values()) if (track.group === report.group) track.endedAt = undefined;
    }
    if (event.kind === 'update') return;
    const track = this.track(report);
    if (track.startedAt !== undefined) return;
    track.startedAt = report.at;
    track.startAligned = report.aligned;
  }

  private changeBandwidth(bandwidth: Bandwidth): void {
    this.hasNoBandwidth = bandwidth.average === 0 && bandwidth.maximum === 0;
    if (!this.hasNoBandwidth || this.bandwidth === undefined) this.bandwidth = bandwidth;
  }

  private changeHeaders(event: StreamEvent): void {
    const { referredBy, replaces, via } = event;
    const further = event.further && mergeExtensions([this.headers, event]);
    this.headers = { ...this.headers, ...withoutAbsent({ referredBy, replaces, via, further }) };
  }

  hold(): void {
    this.isInactive = true;
    this.lastFinalReportAt = undefined;
  }

  end(report: ReportedEvent): void {
    this.seenBy(report);
    this.track(report).endedAt ??= report.at;
    const { receivedAt } = report.source;
    this.endedIn.set(report.group, Math.min(receivedAt, this.endedIn.get(report.group) ?? Infinity));
  }

  finalReport(receivedAt: number): void {
    this.lastFinalReportAt = Math.max(receivedAt, this.lastFinalReportAt ?? -Infinity);
  }

  isAlive(): void {
    this.lastFinalReportAt = undefined;
  }

  toCallStream(
    parties: PartyTable,
    callIsOver: boolean,
    callEndedAt: number | undefined,
    report: StreamReport | undefined,
  ): CallStream {
    const { startedAt } = this;
    const endedAt = this.endedAt ?? callEndedAt;
    const from = withPathOf(report?.from, parties.complete(this.from));
    const to = withPathOf(report?.to, parties.complete(this.to));
    return {
      mediaType: this.mediaType ?? null,
      from,
      to,
      state: callIsOver || !this.isOpen ? 'ended' : this.isHeld ? 'held' : 'active',
      startedAt: startedAt === undefined ? null : isoTime(startedAt),
      endedAt: endedAt === undefined ? null : isoTime(endedAt),
      protocol: this.protocol ?? null,
      codecs: this.codecs,
      bandwidth: this.bandwidth ?? null,
      frontEnds: [...this.frontEnds.values()],
      verdict: report?.verdict ?? 'unknown',
      path: mediaPath([from, to], report?.connectivity),
      ...this.headers,
    };
  }

  private track({ clock, group }: ReportedEvent): Track {
    const track = this.tracks.get(clock) ?? { group, startedAt: undefined, startAligned: Infinity, endedAt: undefined };
    this.tracks.set(clock, track);
    return track;
  }
}

/** Of relays and addresses outside of a NAT, often only the report knows. */
function withPathOf(reported: Endpoint | null | undefined, end: Endpoint | null): Endpoint | null {
  if (!reported || end === null) return end;
  const { relay, relayPort, reflexiveIp, reflexivePort, hostIp, hostPort } = reported;
  return { ...withoutAbsent({ relay, relayPort, reflexiveIp, reflexivePort, hostIp, hostPort }), ...end };
}
