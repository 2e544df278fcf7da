import { streamMetrics, type StreamMetrics, type Verdict } from '@ringdown/quality';
import { connectionKind } from '@ringdown/xml-schemas/fields';
import type { Bandwidth, Codec, Endpoint } from '@ringdown/xml-schemas/record';
import { IN_PROGRESS, type Call, type CallQuality, type CallStream } from '../call.js';
import { uriKey } from '../call-keys.js';
import { endpointIdentity, matchingIdentity } from '../parties/endpoint-identity.js';
import { ipAddress } from '../parties/ip-address.js';

/** What statistics need about one medium in one direction. Both ends count the same. */
export interface MediaFact extends StreamMetrics {
  readonly medium: string | null;
  /** The codec in use, or the first one offered. */
  readonly codec: string | null;
  readonly verdict: Verdict;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** bit/s. */
  readonly average: number;
  readonly maximum: number;
  readonly addresses: readonly string[];
  readonly connections: readonly string[];
  readonly userAgents: readonly string[];
}

/** Senders write anything, and every different text becomes a row in an operator's table. */
const MAX_TEXT = 100;

/** One fact for each stream, and for each report on a stream whose start was missed. */
export function mediaFacts(call: Call): readonly MediaFact[] {
  const { streams, quality } = call;
  const reported = new Set<CallQuality>();
  const partyUserAgent = partyUserAgents(call);
  const facts = streams.map((stream) => {
    const report = quality.find((each) => isSame(each, stream));
    if (report) reported.add(report);
    const { startedAt, endedAt, verdict, bandwidth, codecs } = stream;
    const codec = report?.codecs[0] ?? codecs[0];
    const metrics = report && streamMetrics(report);
    return {
      ...factOf(partyUserAgent, stream, codec),
      verdict,
      startedAt,
      endedAt,
      ...bandwidthOf(bandwidth, codecs),
      ...metrics,
    };
  });
  const missed = quality.filter((report) => !reported.has(report));
  return [
    ...facts,
    ...missed.map((report) => {
      const { verdict, codecs } = report;
      const times = { startedAt: null, endedAt: null };
      const fact = factOf(partyUserAgent, report, codecs[0]);
      return { ...fact, verdict, ...times, average: 0, maximum: 0, ...streamMetrics(report) };
    }),
  ];
}

/**
 * By the clock of the front end; for a call without a reported end, when its last record was received. Null while the
 * call is in progress.
 */
export function lastedUntil({ state, endedAt, lastReceivedAt }: Call): string | null {
  return IN_PROGRESS.includes(state) ? null : (endedAt ?? lastReceivedAt);
}

type Directed = Pick<CallStream, 'mediaType' | 'from' | 'to'>;

function factOf(
  partyUserAgent: (end: Endpoint) => string | undefined,
  { mediaType, from, to }: Directed,
  codec: Codec | undefined,
): Pick<MediaFact, 'medium' | 'codec' | 'addresses' | 'connections' | 'userAgents'> {
  const ends = [from, to].filter((end) => end !== null);
  const of = (pick: (end: Endpoint) => string | undefined): string[] => [
    ...new Set(ends.flatMap((end) => pick(end)?.slice(0, MAX_TEXT).toWellFormed() ?? [])),
  ];
  return {
    medium: mediaType?.slice(0, MAX_TEXT).toWellFormed() ?? null,
    codec: codec?.name.slice(0, MAX_TEXT).toWellFormed() ?? null,
    addresses: of(({ ip }) => (ip === undefined ? undefined : ipAddress(ip)?.text)),
    connections: of(({ connection }) => connectionKind(connection)),
    userAgents: of((end) => end.userAgent ?? partyUserAgent(end)),
  };
}

/** The call's table contains what other records reported about an endpoint. */
function partyUserAgents({ parties }: Call): (end: Endpoint) => string | undefined {
  const identities = parties.map(endpointIdentity);
  return (end) => parties[matchingIdentity(endpointIdentity(end), identities)]?.userAgent;
}

function isSame(one: Directed, other: Directed): boolean {
  return one.mediaType === other.mediaType && isSameEnd(one.from, other.from) && isSameEnd(one.to, other.to);
}

/** Tags and URIs are compared without regard to case: each end writes its own. */
function isSameEnd(one: Endpoint | null, other: Endpoint | null): boolean {
  if (one?.id !== undefined && other?.id !== undefined) return one.id.toLowerCase() === other.id.toLowerCase();
  return endUri(one) === endUri(other);
}

function endUri(end: Endpoint | null): string | undefined {
  return end?.uri === undefined ? undefined : uriKey(end.uri);
}

/** The bandwidth from the record, else what its codecs usually need: the one in use is not known at the start. */
function bandwidthOf(bandwidth: Bandwidth | null, codecs: readonly Codec[]): Pick<MediaFact, 'average' | 'maximum'> {
  const low = codecs.flatMap((codec) => known(codec.low));
  const high = codecs.flatMap((codec) => known(codec.high));
  const [average] = known(bandwidth?.average);
  const [maximum] = known(bandwidth?.maximum);
  return {
    average: average ?? (low.length === 0 ? 0 : low.reduce((sum, each) => sum + each, 0) / low.length),
    maximum: maximum ?? Math.max(0, ...high),
  };
}

/** -1 means unknown. */
function known(bits: number | undefined): readonly number[] {
  return bits !== undefined && Number.isFinite(bits) && bits >= 0 ? [bits] : [];
}
