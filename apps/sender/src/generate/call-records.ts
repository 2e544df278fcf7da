import { errorEvent, recordTime, VIDEO_CODEC, type CallEnd, type Failure } from '@ringdown/generated-calls';
import type {
  Codec,
  DiagnosticsRecord,
  Endpoint,
  Metric,
  RecordEvent,
  StreamEvent,
} from '@ringdown/xml-schemas/record';
import type { GeneratedUser } from './generated-users.js';

export type Medium = 'audio' | 'video';

/** One side of a call: a user and the tag that the user's device chose for this call. */
export interface Participant extends CallEnd {
  readonly user: GeneratedUser;
}

export interface CallFacts {
  readonly callId: string;
  readonly conversationId: string;
  /** The front end that reports. */
  readonly frontEnd: string;
  readonly caller: Participant;
  readonly callee: Participant;
}

/** Metrics of one medium in one direction. */
export type MediumMetrics = Readonly<Record<string, Metric>>;

const CODECS: Readonly<Record<Medium, readonly Codec[]>> = {
  audio: [
    { name: 'SILK/16000', low: 47_700, high: 105_000 },
    { name: 'G722/8000', low: 70_400, high: 164_600 },
    { name: 'PCMU/8000', low: 67_900, high: 161_000 },
    { name: 'telephone-event/8000' },
  ],
  video: [VIDEO_CODEC, { name: 'x-ulpfecuc/90000' }],
};

/** Writes the records of one call as its front end would (docs/records.md). */
export class CallRecords {
  constructor(private readonly facts: CallFacts) {}

  /** Also for changes: version 1.0 has one event for both. One event per medium and direction. */
  startOrUpdate(at: number, media: readonly Medium[]): DiagnosticsRecord {
    const { caller, callee, conversationId } = this.facts;
    const events = media.flatMap((medium) => [stream(medium, caller, callee), stream(medium, callee, caller)]);
    return this.record(at, events, { conversationId });
  }

  ended(at: number): DiagnosticsRecord {
    const { caller, callee } = this.facts;
    return this.record(at, [{ kind: 'ended', endpoints: [identity(caller), identity(callee)] }]);
  }

  /** The callee may not have answered, so the callee's device is not known. */
  error(at: number, failure: Failure): DiagnosticsRecord {
    const { caller, callee } = this.facts;
    const { epId: _unknown, ...calleeIdentity } = identity(callee);
    return this.record(at, [errorEvent([identity(caller), calleeIdentity], failure)]);
  }

  /** The measurements of both devices, sent when the call is over. The times in it are from the devices' clocks. */
  quality(
    at: number,
    startedAt: number,
    reports: ReadonlyMap<Medium, readonly [MediumMetrics, MediumMetrics]>,
  ): DiagnosticsRecord {
    const { caller, callee } = this.facts;
    const events = [...reports].flatMap(([medium, [there, back]]) => [
      measured(medium, caller, callee, there),
      measured(medium, callee, caller, back),
    ]);
    return this.record(at, events, {
      originator: caller.user.epId,
      connectivity: 'DIRECT',
      startTime: recordTime(startedAt),
      endTime: recordTime(at),
      appliedBandwidthLimit: 10_000_000,
      dialogCategory: 'call',
    });
  }

  private record(
    at: number,
    events: readonly RecordEvent[],
    more: Partial<DiagnosticsRecord['connection']> = {},
  ): DiagnosticsRecord {
    const { frontEnd, callId } = this.facts;
    return {
      version: '1.0',
      connection: { callId, frontEnds: [frontEnd], timeStamp: recordTime(at), ...more },
      events,
    };
  }
}

function identity({ user, tag }: Participant): Endpoint {
  return { id: tag, epId: user.epId, uri: `sip:${user.address}` };
}

function mediaEnd(side: Participant, medium: Medium): Endpoint {
  return { ...identity(side), ip: side.user.ip, port: medium === 'audio' ? side.port : side.port + 2 };
}

function contact({ user }: Participant): string {
  return `sip:${user.address};opaque=user:epid:${user.epId};gruu`;
}

function stream(medium: Medium, from: Participant, to: Participant): StreamEvent {
  return {
    kind: 'startOrUpdate',
    mediaType: medium,
    from: mediaEnd(from, medium),
    to: { ...mediaEnd(to, medium), contact: contact(to) },
    protocol: 'UDP',
    codecs: CODECS[medium],
  };
}

function measured(medium: Medium, from: Participant, to: Participant, metrics: MediumMetrics): RecordEvent {
  const { connection, vpn } = to.user;
  const { epId: _from, ...sender } = mediaEnd(from, medium);
  const { epId: _to, ...receiver } = mediaEnd(to, medium);
  return {
    kind: 'qualityUpdate',
    mediaType: medium,
    from: { ...sender, contact: contact(from) },
    to: { ...receiver, contact: contact(to), inside: !vpn, vpn, connection },
    codecs: CODECS[medium].slice(0, 1).map(({ name }) => ({ name })),
    metrics,
  };
}
