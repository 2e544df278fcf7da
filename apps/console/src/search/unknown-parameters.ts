import { CALL_STATES, COVERAGES, VERDICTS } from '../api/calls.js';
import { parseSpan, isoTimeOrEmpty } from '../parts/time/period.js';
import { CONDITION_NAMES, conditionMeaning, presentName } from './conditions.js';
import { parseSort } from './sorts.js';

const knownValueCheck =
  (known: readonly string[]) =>
  (value: string): boolean =>
    known.includes(value);
const isTime = (value: string): boolean => isoTimeOrEmpty(value) !== '';

const isNumber = (value: string): boolean => /^\d{1,15}(?:\.\d{1,15})?$/.test(value);

function checkOf(name: string): (value: string) => boolean {
  const meaning = conditionMeaning(name);
  if (meaning?.kind !== 'atLeast' && meaning?.kind !== 'atMost') return () => true;
  return meaning.range.isTime ? isTime : isNumber;
}

type Checks = Readonly<Record<string, (value: string) => boolean>>;

/** The valid values of each parameter of all views that select calls; texts may have any value. */
const CHECKS: Checks = {
  q: () => true,
  ...Object.fromEntries(CONDITION_NAMES.map((name) => [name, checkOf(name)])),
  state: knownValueCheck(CALL_STATES),
  verdict: knownValueCheck(VERDICTS),
  coverage: knownValueCheck(COVERAGES),
  from: isTime,
  to: isTime,
};
const OF_SEARCH: Checks = {
  cursor: () => true,
  sort: (value) => parseSort(value) !== undefined,
  last: (value) => parseSpan(value) !== undefined,
  asOf: isTime,
};
const LISTS = new Set(['state', 'verdict', 'coverage']);

/**
 * Parameters of an address that the view does not know, as `name=value`, because their author expects an effect. `own`: those that
 * other views that select calls do not have.
 */
export function unknownParameters(search: string, own: Checks = OF_SEARCH): readonly string[] {
  const checks = { ...CHECKS, ...own };
  const given = [...new URLSearchParams(search)].flatMap(([written, text]) => {
    const name = presentName(written);
    return (LISTS.has(name) ? text.split(',') : [text.trim()]).map((value) => [name, value] as const);
  });
  return given
    .filter(([name, value]) => value !== '' && !(Object.hasOwn(checks, name) && checks[name]?.(value) === true))
    .map(([name, value]) => `${name}=${value}`);
}
