import type { Call, SurroundingCalls, TroubledCalls } from '../api/answers.js';
import { CALLERS_OUTCOMES } from '../api/catalogue.js';
import { ONE_SIDED_95, shareInterval } from '../parts/share-intervals.js';

export interface Judged extends SurroundingCalls {
  /** Whether more calls than usual had the problem; undefined if there were too few to tell. */
  readonly isMore: boolean | undefined;
}

const FEWEST_OF_HOUR = 5;
const FEWEST_USUAL = 20;
const FEWEST_TROUBLED = 3;

/** Whether there is a reason to ask if other calls had it, too: not where a person answered with busy. */
export function hasTrouble({ state, end, verdict, audio }: Pick<Call, 'state' | 'end' | 'verdict' | 'audio'>): boolean {
  const isFault = typeof end?.code === 'number' && !CALLERS_OUTCOMES.includes(end.code);
  return (state === 'failed' && isFault) || verdict === 'bad' || verdict === 'poor' || Boolean(audio);
}

/** The rows, what is worse than usual first. A value that is rare otherwise is compared with what is usual of the most frequent one. */
export function judgedSurroundings(items: readonly SurroundingCalls[]): readonly Judged[] {
  const usuals = items.map(({ usual }) => usual).toSorted((a, b) => b.calls - a.calls);
  const usualOf = ({ usual }: SurroundingCalls): TroubledCalls =>
    usual.calls < FEWEST_USUAL ? (usuals[0] ?? usual) : usual;
  const rank = ({ isMore }: Judged): number => (isMore === true ? 0 : isMore === false ? 1 : 2);
  const excess = ({ hour, usual }: Judged): number => troubledShare(hour) - troubledShare(usual);
  return items
    .map((item) => ({ ...item, isMore: isMoreThanUsual(item.hour, usualOf(item)) }))
    .toSorted((a, b) => rank(a) - rank(b) || excess(b) - excess(a));
}

/** `other`: it was not only this call; `only`: it was; `unclear`: too few calls to tell. */
export function surroundingsVerdict(judged: readonly Judged[]): 'other' | 'only' | 'unclear' {
  if (judged.some(({ isMore }) => isMore === true)) return 'other';
  return judged.some(({ isMore }) => isMore === false) ? 'only' : 'unclear';
}

export function troubledShare({ calls, bad }: TroubledCalls): number {
  return calls === 0 ? 0 : bad / calls;
}

/** The call itself is one of the hour: a single one is never more than usual. */
function isMoreThanUsual(hour: TroubledCalls, usual: TroubledCalls): boolean | undefined {
  if (hour.calls < FEWEST_OF_HOUR || usual.calls < FEWEST_USUAL) return undefined;
  // With one bad call more, so that a value without any in seven days has a share, too.
  const expected = (usual.bad + 1) / (usual.calls + 1);
  const { low } = shareInterval({ all: hour.calls, some: hour.bad }, ONE_SIDED_95);
  return hour.bad >= FEWEST_TROUBLED && low > expected;
}
