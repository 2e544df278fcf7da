import type { Endpoint } from '../model/endpoint.js';
import { eventEndpoints, isEnd, isError, isInvite, isQuality, isStream } from '../model/event-kinds.js';
import { utcTime } from '../model/record-time.js';
import type {
  ConnectionInfo,
  DiagnosticsRecord,
  EndEvent,
  ErrorEvent,
  Metric,
  Outcome,
  QualityEvent,
  RecordEvent,
  StreamEvent,
} from '../model/record.js';
import { parseInteger, pick, withoutAbsent } from '../model/values.js';

export interface FirstVersionOptions {
  /** For records without a front end: 1.0 requires it. */
  readonly frontEnd?: string;
  /** The acceptable limit of a metric: receivers of 1.0 compare a value with the limit beside it. */
  readonly limitOf?: (mediaType: string | undefined, metric: string) => number | undefined;
}

const IDENTITY = ['id', 'epId', 'uri'] as const;
const SENDER = [...IDENTITY, 'ip', 'port'] as const;
const RECEIVER = [...SENDER, 'contact'] as const;
const NETWORK = ['relay', 'relayPort', 'inside', 'vpn', 'connection'] as const;
const MEASURED_END = [...RECEIVER.filter((field) => field !== 'epId'), ...NETWORK] as const;

/**
 * A record of a later version converted to 1.0 (docs/records.md): one record for each kind that
 * 1.0 has. 1.0 has no invitation and no quality during the call, and cannot show a hold. Its `Ended` ends the call, so
 * the end of one medium among several is left out.
 */
export function toFirstVersion(record: DiagnosticsRecord, options: FirstVersionOptions = {}): DiagnosticsRecord[] {
  const { events } = record;
  const known = new KnownEndpoints(events);
  const reports = events.filter(isQuality).filter(({ kind }) => kind === 'qualityUpdate');
  const make = (kind: Kind, some: readonly RecordEvent[]): DiagnosticsRecord[] => {
    if (some.length === 0) return [];
    return [{ version: '1.0', connection: firstVersionConnection(record, kind, reports, options), events: some }];
  };
  return [
    ...make(
      'start',
      events.filter(isStream).flatMap((event) => streamEvent(event, known)),
    ),
    ...make(
      'error',
      events.filter(isError).map((event) => errorEvent(event, record.outcome, known)),
    ),
    ...make('end', endOfCall(events, known)),
    ...make(
      'quality',
      reports.map((report) => qualityEvent(report, options, known)),
    ),
  ];
}

type Kind = 'start' | 'end' | 'error' | 'quality';

function firstVersionConnection(
  { connection }: DiagnosticsRecord,
  kind: Kind,
  reports: readonly QualityEvent[],
  { frontEnd }: FirstVersionOptions,
): ConnectionInfo {
  const { callId, cseq, conversationId, timeStamp, connectivity, startTime, endTime, originator } = connection;
  const name = connection.frontEnds[0] ?? frontEnd ?? connection.sourcePool ?? connection.pools?.[0];
  const common = { frontEnds: name === undefined ? [] : [name], callId, timeStamp: utcTime(timeStamp) };
  if (kind !== 'quality') {
    return withoutAbsent({ ...common, cseq, conversationId: kind === 'start' ? conversationId : undefined });
  }
  return withoutAbsent({
    ...common,
    originator,
    connectivity,
    startTime: utcTime(startTime),
    endTime: utcTime(endTime),
    appliedBandwidthLimit: connection.appliedBandwidthLimit ?? bandwidthLimit(reports),
    dialogCategory: connection.dialogCategory,
  });
}

/** A metric since C. */
function bandwidthLimit(reports: readonly QualityEvent[]): number | undefined {
  const limits = reports.flatMap(({ metrics }) => metrics['AppliedBandwidthLimit']?.value ?? []);
  return parseInteger(limits[0]?.toString());
}

/** Without a direction (A, while on hold) 1.0 cannot express the event. */
function streamEvent(event: StreamEvent, known: KnownEndpoints): StreamEvent[] {
  const { mediaType, from, to, protocol, codecs } = event;
  if (from === undefined || to === undefined) return [];
  return [
    withoutAbsent({
      kind: 'startOrUpdate' as const,
      mediaType,
      from: pick(known.complete(from, mediaType), SENDER),
      to: pick(known.complete(to, mediaType), RECEIVER),
      protocol,
      codecs: codecs.map(({ name, low, high }) => withoutAbsent({ name, low, high })),
    }),
  ];
}

/**
 * A goodbye ends the call. Records without signalling contain no goodbye, and A has none: then the end of
 * audio or of a stream of unknown kind replaces it, because a call outlives its video but hardly its audio; unless the
 * record also starts audio, as when another device continues the call.
 */
function endOfCall(events: readonly RecordEvent[], known: KnownEndpoints): EndEvent[] {
  const ends = events.filter(isEnd);
  const continues = events.some((event) => isStream(event) && event.kind === 'start' && event.mediaType === 'audio');
  const isOver = ends.some(({ kind, mediaType }) => {
    return kind === 'bye' || mediaType === undefined || (mediaType === 'audio' && !continues);
  });
  if (!isOver) return [];
  return [withoutAbsent({ kind: 'ended' as const, endpoints: identities(ends, known) })];
}

function errorEvent(event: ErrorEvent, ofRecord: Outcome | undefined, known: KnownEndpoints): ErrorEvent {
  return withoutAbsent({
    kind: 'error' as const,
    endpoints: identities([event], known),
    responseCode: event.responseCode ?? ofRecord?.responseCode,
    diagnostics: event.diagnostics ?? ofRecord?.diagnostics,
  });
}

/** Undefined if no party is named. */
function identities(events: readonly (EndEvent | ErrorEvent)[], known: KnownEndpoints): Endpoint[] | undefined {
  const endpoints = known.distinct(events.flatMap(eventEndpoints)).map((endpoint) => pick(endpoint, IDENTITY));
  return endpoints.length === 0 ? undefined : endpoints;
}

function qualityEvent(event: QualityEvent, { limitOf }: FirstVersionOptions, known: KnownEndpoints): QualityEvent {
  const { mediaType, from, to, codecs, metrics } = event;
  const numbers = Object.entries(metrics).flatMap(([name, { value, limit }]): [string, Metric][] => {
    if (typeof value !== 'number' || name === 'AppliedBandwidthLimit') return [];
    return [[name, withoutAbsent({ value, limit: limit ?? limitOf?.(mediaType, name) })]];
  });
  return withoutAbsent({
    kind: 'qualityUpdate' as const,
    mediaType,
    from: from && pick(known.complete(from, mediaType), MEASURED_END),
    to: to && pick(known.complete(to, mediaType), MEASURED_END),
    codecs: codecs.map(({ name }) => ({ name })),
    metrics: Object.fromEntries(numbers),
  });
}

/** Audio, video and sharing in both directions, with their ends and reports, name half as many. */
const SIGHTING_LIMIT = 64;

/**
 * The first pair of a record contains all fields, later ones only the differences; 1.0 contains all fields everywhere.
 */
class KnownEndpoints {
  private readonly sightings: readonly { readonly endpoint: Endpoint; readonly mediaType: string | undefined }[];

  constructor(events: readonly RecordEvent[]) {
    const sightings = events.flatMap((event) => {
      const mediaType = isInvite(event) ? undefined : event.mediaType;
      return eventEndpoints(event).map((endpoint) => ({ endpoint, mediaType }));
    });
    this.sightings = sightings.slice(0, SIGHTING_LIMIT);
  }

  complete(endpoint: Endpoint, mediaType?: string): Endpoint {
    return this.sightings.reduce<Endpoint>((known, seen) => {
      if (seen.endpoint === endpoint || !isSame(endpoint, seen.endpoint)) return known;
      const { id, epId, uri, contact, ip, port, relay, relayPort } = seen.endpoint;
      const ofMedium = seen.mediaType === mediaType ? { port, relay, relayPort } : {};
      return { ...withoutAbsent({ id, epId, uri, contact, ip, ...ofMedium }), ...known };
    }, endpoint);
  }

  /** Each endpoint once, with all its known fields. */
  distinct(endpoints: readonly Endpoint[]): Endpoint[] {
    const found: Endpoint[] = [];
    for (const endpoint of endpoints) {
      if (!found.some((other) => isSame(other, endpoint))) found.push(this.complete(endpoint));
    }
    return found;
  }
}

function isSame(a: Endpoint, b: Endpoint): boolean {
  for (const field of ['id', 'epId', 'uri'] as const) {
    const [ofA, ofB] = [a[field], b[field]];
    if (ofA !== undefined && ofB !== undefined) return ofA.toLowerCase() === ofB.toLowerCase();
  }
  return false;
}
