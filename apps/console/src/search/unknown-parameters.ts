import { CALL_STATES, COVERAGES, VERDICTS } from '../api/calls.js';
import { spanOf, timeOf } from '../parts/period.js';
import { CONDITION_NAMES, meaningOf } from './conditions.js';
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

/** The valid values of each parameter; texts may have any value. */
const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  ...Object.fromEntries(['cursor', 'q'].map((name) => [name, () => true])),
  ...Object.fromEntries(CONDITION_NAMES.map((name) => [name, checkOf(name)])),
  state: oneOf(CALL_STATES),
  verdict: oneOf(VERDICTS),
  coverage: oneOf(COVERAGES),
  sort: (value) => sortOf(value) !== undefined,
  last: (value) => spanOf(value) !== undefined,
  from: isTime,
  to: isTime,
  asOf: isTime,
};
const LISTS = new Set(['state', 'verdict', 'coverage']);

/** Parameters of an address that the search does not know, as `name=value`, because their author expects an effect. */
export function unknownParameters(search: string): readonly string[] {
  const given = [...new URLSearchParams(search)].flatMap(([name, text]) => {
    return (LISTS.has(name) ? text.split(',') : [text.trim()]).map((value) => [name, value] as const);
  });
  return given
    .filter(([name, value]) => value !== '' && !(Object.hasOwn(CHECKS, name) && CHECKS[name]?.(value) === true))
    .map(([name, value]) => `${name}=${value}`);
}
