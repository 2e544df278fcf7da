import { AUDIO } from '@ringdown/call-catalogue/choices';
import type { Problem } from '@ringdown/quality/suspects';
import { isFault } from '../../../calls/life/call-outcome.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { Conditions } from '../../../search/filter/call-filter.js';

/** What is known of a call: which problems it may have, and which it has. */
const BITS = { finished: 1, failed: 2, judged: 4, bad: 8, audioKnown: 16, noAudio: 32 } as const;

export type CountedProblem = keyof typeof BITS;

export const COUNTED_PROBLEMS: readonly CountedProblem[] = [
  'finished',
  'failed',
  'judged',
  'bad',
  'audioKnown',
  'noAudio',
];

export type ProblemCounts = Readonly<Record<CountedProblem, number>>;

/** Of which calls a problem is known. */
const KNOWN_BY: Readonly<Record<Problem, CountedProblem>> = {
  bad: 'judged',
  failed: 'finished',
  noAudio: 'audioKnown',
};

const [FIRST_ERROR, LAST_ERROR] = [400, 699];
const FAULT_KEYS = Array.from({ length: LAST_ERROR - FIRST_ERROR + 1 }, (_, n) => FIRST_ERROR + n)
  .filter((code) => isFault(code))
  .map((code) => searchKey('endCode', code));
const AUDIO_KEYS = AUDIO.map((heard) => searchKey('audio', heard));

/** SQL of the bits of a call. Only of calls that failed are the keys of faults compared, which are many. */
export function problemBits(conditions: Conditions): string {
  const audio = `search_keys && ${conditions.placeholder(AUDIO_KEYS)}::text[]`;
  const terms: Readonly<Record<CountedProblem, string>> = {
    finished: `state in ('ended', 'failed')`,
    failed: `state = 'failed' and search_keys && ${conditions.placeholder(FAULT_KEYS)}::text[]`,
    judged: `verdict <> 'unknown'`,
    bad: `verdict = 'bad'`,
    audioKnown: `verdict <> 'unknown' or ${audio}`,
    noAudio: audio,
  };
  return COUNTED_PROBLEMS.map((name) => `(case when ${terms[name]} then ${BITS[name]} else 0 end)`).join(' | ');
}

/** How many calls have each bit, in SQL; `bits`: the expression of {@link problemBits}. */
export function problemCounts(bits: string): string {
  return COUNTED_PROBLEMS.map(
    (name) => `(count(*) filter (where ${hasBitSql(bits, name)}))::integer as "${name}"`,
  ).join(', ');
}

function hasBitSql(bits: string, name: CountedProblem): string {
  return `${bits} & ${BITS[name]} > 0`;
}

export function hasBit(bits: number, name: CountedProblem): boolean {
  return (bits & BITS[name]) > 0;
}

type Problems = Readonly<Partial<Record<Problem, boolean>>>;

/** Of all bits, because calls are many. */
const PROBLEMS_OF_BITS = Array.from({ length: 2 * BITS.noAudio }, (_, bits): Problems => {
  return {
    ...(hasBit(bits, KNOWN_BY.bad) ? { bad: hasBit(bits, 'bad') } : {}),
    ...(hasBit(bits, KNOWN_BY.failed) ? { failed: hasBit(bits, 'failed') } : {}),
    ...(hasBit(bits, KNOWN_BY.noAudio) ? { noAudio: hasBit(bits, 'noAudio') } : {}),
  };
});

/** A problem that is not known is absent. */
export function problemsIn(bits: number): Problems {
  return PROBLEMS_OF_BITS[bits] ?? {};
}
