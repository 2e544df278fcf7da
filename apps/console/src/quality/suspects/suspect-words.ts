import type { CountedSuspect, ProblemCounts, Suspect, SuspectList, SuspectValue } from '../../api/answers.js';
import { formatNumber, formatShare, visible } from '../../parts/format.js';
import { differenceInterval, USUAL_DIFFERENCE, type Counted } from '../../parts/share-intervals.js';
import { fieldWord } from '../../search/fields.js';
import { texts as qualityTexts } from '../../texts/quality.js';
import { texts } from '../../texts/suspects.js';
import { formatBucket } from '../timeframe.js';

type Overall = Pick<SuspectList, 'sampled' | 'overall' | 'usual'>;

/** `sonora 210 usb: 57 of 117 calls bad, others 3 %`. */
export function suspectSentence(suspect: Suspect): string {
  const { value, bad, calls, elsewhere } = suspect;
  const counts = [formatNumber(bad), formatNumber(calls), formatShare(elsewhere)] as const;
  return texts.suspects[effectOf(suspect)](valueWords(suspect.dimension, value), ...counts);
}

/** The same without the others, and with the dimension. */
export function countedWords(suspect: CountedSuspect): string {
  const { bad, calls } = suspect;
  return texts.counted[effectOf(suspect)](namedWords(suspect), formatNumber(bad), formatNumber(calls));
}

/** `Access point 02:00:5e:10:00:01`. */
export function namedWords({ dimension, value }: SuspectValue): string {
  return texts.named(qualityTexts.dimensions[dimension].one, valueWords(dimension, value));
}

function valueWords(dimension: SuspectValue['dimension'], value: string): string {
  return visible(fieldWord(dimension, value));
}

/** A server is a suspect of failures by what it refused itself. */
function effectOf({ problem, dimension }: CountedSuspect): keyof typeof texts.suspects {
  return problem === 'failed' && dimension === 'hop' ? 'refused' : problem;
}

/** How sure the share is, what was wrong, and when it was most frequent. */
export function suspectDetails(suspect: Suspect, bucketSeconds: number): readonly string[] {
  const { share, low, high, causes, hours } = suspect;
  const named = causes.map(({ cause, calls }) => texts.cause(causeWord(cause), formatNumber(calls)));
  const [most] = hours.toSorted((a, b) => b.bad - a.bad);
  return [
    texts.share(formatShare(share), formatShare(low), formatShare(high)),
    ...(named.length === 0 ? [] : [texts.causes(named.join(', '))]),
    ...(most === undefined || hours.length < 2 ? [] : [mostWords(most, bucketSeconds)]),
  ];
}

function mostWords({ at, bad, calls }: Suspect['hours'][number], bucketSeconds: number): string {
  const from = Date.parse(at);
  const time = formatBucket({ from, to: from + bucketSeconds * 1_000 });
  return texts.most(time, formatNumber(bad), formatNumber(calls));
}

/** A metric, what was heard, or a SIP status. */
function causeWord(cause: string): string {
  return visible(fieldWord('cause', cause));
}

/** Which calls were counted, and how they were as a whole, now and before: what is wrong with all of them has no suspect. */
export function overallWords({ sampled, overall, usual }: Overall): readonly string[] {
  return [
    ...(sampled === null ? [] : [texts.sampled(Math.round(1 / sampled))]),
    ...(usual !== null && isWorse(overall, usual) ? [texts.worse] : []),
    texts.overall(...sharesOf(overall)),
    ...(usual === null ? [] : [texts.usual(...sharesOf(usual))]),
  ];
}

function isWorse(overall: ProblemCounts, usual: ProblemCounts): boolean {
  const before = countedProblems(usual);
  return countedProblems(overall).some((now, at) => {
    const then = before[at];
    return then !== undefined && then.all > 0 && differenceInterval(now, then).low > USUAL_DIFFERENCE;
  });
}

function sharesOf(counts: ProblemCounts): [bad: string, failed: string, noAudio: string] {
  const [bad, failed, noAudio] = countedProblems(counts).map(({ all, some }) =>
    all === 0 ? texts.unknownShare : formatShare(some / all),
  );
  return [bad ?? '', failed ?? '', noAudio ?? ''];
}

function countedProblems(counts: ProblemCounts): readonly [bad: Counted, failed: Counted, noAudio: Counted] {
  const { judged, bad, finished, failed, audioKnown, noAudio } = counts;
  return [
    { all: judged, some: bad },
    { all: finished, some: failed },
    { all: audioKnown, some: noAudio },
  ];
}
