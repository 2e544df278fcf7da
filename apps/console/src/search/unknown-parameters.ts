import { CALL_STATES, COVERAGES, VERDICTS } from '../api/calls.js';
import { spanOf, timeOf } from '../parts/time/period.js';
import { CONDITION_NAMES, meaningOf, presentName } from './conditions.js';
import { sortOf } from './sorts.js';

const oneOf =
  (known: readonly string[]) =>
  (value: string): boolean =>
    known.includes(value);
const isTime = (value: string): boolean => timeOf(value) !== '';

const isNumber = (value: string): boolean => /^\d{1,15}(?:\.\d{1,15})?$/.test(value);

function checkOf(name: string): (value: string) => boolean {
  const meaning = meaningOf(name);
  if (meaning?.kind !== 'atLeast' && meaning?.kind !== 'atMost') return () => true;
  return meaning.range.isTime ? isTime : isNumber;
}

type Checks = Readonly<Record<string, (value: string) => boolean>>;

/** The valid values of each parameter of all views that select calls; texts may have any value. */
const CHECKS: Checks = {
  q: () => true,
  ...Object.fromEntries(CONDITION_NAMES.map((name) => [name, checkOf(name)])),
  state: oneOf(CALL_STATES),
  verdict: oneOf(VERDICTS),
  coverage: oneOf(COVERAGES),
  from: isTime,
  to: isTime,
};
const OF_SEARCH: Checks = {
  cursor: () => true,
  sort: (value) => sortOf(value) !== undefined,
  last: (value) => spanOf(value) !== undefined,
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
