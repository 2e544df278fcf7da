import { possibleNumber, type MetricName } from '@ringdown/call-catalogue/metrics';
import type { Verdict } from '@ringdown/quality';
import type { Endpoint } from '@ringdown/xml-schemas/record';
import type { AudioEvidence, CallAudio, CallDuration, CallQuality } from '../call.js';
import type { FeedRecord } from '../feed-record.js';
import type { PartyTable } from '../parties/party-table.js';
import type { ExpectedStream } from '../streams/stream-table.js';
import type { StreamQuality } from './call-quality.js';

/** A shorter call may end before its first packets. */
const SHORTEST_SECONDS = 5;
const EVERYTHING = 1;

export interface AudioContext {
  readonly quality: readonly StreamQuality[];
  /** Streams that a record reports to begin: receivers also count what was never meant, early media and forks. */
  readonly streams: readonly ExpectedStream[];
  readonly parties: Pick<PartyTable, 'complete' | 'keyOf'>;
  readonly isOver: boolean;
  readonly duration: CallDuration | null;
  /** Those who only listen to a conference are muted. */
  readonly isConference: boolean;
  /** The party that our sender calls `Caller`. */
  readonly caller: Endpoint | undefined;
  readonly records: readonly FeedRecord[];
}

interface Direction {
  readonly stream: ExpectedStream;
  /** Undefined: not known. */
  readonly finding: 'heard' | AudioEvidence | undefined;
}

interface SilentDirection extends Direction {
  readonly finding: AudioEvidence;
}

/**
 * Whether one side of the call heard nothing, or both; null: both were heard, or it is not known. Only by positive evidence: where nothing
 * measures media, no call is silent (docs/records.md, "One-way and silent audio").
 */
export function callAudio(context: AudioContext): CallAudio | null {
  if (!context.isOver || (context.duration?.seconds ?? 0) < SHORTEST_SECONDS) return null;
  const directions = audioDirections(context);
  const heard = new Set(directions.flatMap(({ stream, finding }) => (finding === 'heard' ? stream.key : [])));
  const silent = directions.filter(isSilent);
  const oneWay = silent.find(({ stream }) => heard.has(stream.opposite));
  if (oneWay !== undefined) {
    const [from = null, to = null] = oneWay.stream.ends.map(
      (end) => context.parties.complete(end ?? undefined)?.uri ?? null,
    );
    return { heard: 'oneWay', evidence: oneWay.finding, from, to };
  }
  // Of a call with several devices or parties, one leg had sound.
  if (heard.size > 0) return null;
  const both = silent.filter(({ stream }) => silent.some((other) => other.stream.key === stream.opposite));
  const [known = both[0]] = both.filter(({ finding }) => !WEAK.has(finding));
  const evidence = known?.finding ?? (missingMedia(context) === '1' ? 'noMedia' : undefined);
  return evidence === undefined ? null : { heard: 'silent', evidence, from: null, to: null };
}

/** A capture that sees one direction only has no packets of the other one, and a phone that is muted, or a test, sends a constant level. */
const WEAK: ReadonlySet<AudioEvidence> = new Set(['notCaptured', 'constantLevel']);

/** Streams keep their verdicts. Weak evidence finds a call, and does not make it bad. */
export function audioVerdict(audio: CallAudio | null): Verdict {
  return audio === null || WEAK.has(audio.evidence) ? 'unknown' : 'bad';
}

/** Whose media our sender did not see, although it saw those of other calls between the same networks (docs/records.md, "Extensions of our sender"). */
function missingMedia({ records }: AudioContext): string | undefined {
  return records.map(({ record }) => record.connection.further?.['NoMedia']).find((missing) => missing !== undefined);
}

function audioDirections(context: AudioContext): readonly Direction[] {
  const { quality, streams, isConference, parties, caller } = context;
  const reports = new Map(quality.map((each) => [each.streamKey, each.quality]));
  const silentSide = missingMedia(context);
  const isFromSilentSide = ({ ends: [from] }: ExpectedStream): boolean => {
    if (silentSide !== 'Caller' && silentSide !== 'Callee') return false;
    return (parties.keyOf(from ?? undefined) === parties.keyOf(caller)) === (silentSide === 'Caller');
  };
  return streams
    .filter(({ mediaType }) => mediaType === 'audio')
    .map((stream) => {
      const own = finalReport(reports.get(stream.key));
      const finding = findingOf(own, finalReport(reports.get(stream.opposite)));
      if (finding === 'constantLevel' && isConference) return { stream, finding: 'heard' };
      const isUnseen = finding === undefined || finding === 'notCaptured';
      return { stream, finding: isUnseen && isFromSilentSide(stream) ? 'noMedia' : finding };
    });
}

/** What the receiver counts tells more than what was captured on the way to it. */
function findingOf(report: CallQuality | undefined, opposite: CallQuality | undefined): Direction['finding'] {
  const received = metricOf(report, 'PacketUtilization');
  const captured = metricOf(report, 'CapturedPackets');
  const count = received ?? captured;
  if (count === 0) return 'noPackets';
  if (metricOf(report, 'PacketLossRate') === EVERYTHING) return 'allLost';
  // Both sides had agreed to send.
  if (count === undefined) return metricOf(opposite, 'CapturedOneWay') === 1 ? 'notCaptured' : undefined;
  return report?.metrics['CapturedSilence']?.value === 'constant level' ? 'constantLevel' : 'heard';
}

function isSilent(direction: Direction): direction is SilentDirection {
  const { stream, finding } = direction;
  if (finding === undefined || finding === 'heard' || stream.isHeld) return false;
  return (stream.seconds ?? SHORTEST_SECONDS) >= SHORTEST_SECONDS;
}

/** Averages during the call may be of its first seconds. */
function finalReport(report: CallQuality | undefined): CallQuality | undefined {
  return report?.final === true ? report : undefined;
}

function metricOf(report: CallQuality | undefined, name: MetricName): number | undefined {
  return possibleNumber(name, report?.metrics[name]);
}
