import { CALL_STATES, COVERAGES, VERDICTS } from '../api/calls.js';
import { spanOf, timeOf } from '../parts/period.js';
import { SORTS, TEXTS } from './filter.js';

const oneOf =
  (known: readonly string[]) =>
  (value: string): boolean =>
    known.includes(value);
const isTime = (value: string): boolean => timeOf(value) !== '';

/** The valid values of each parameter; texts may have any value. */
const CHECKS: Readonly<Record<string, (value: string) => boolean>> = {
  ...Object.fromEntries(['cursor', ...TEXTS].map((name) => [name, () => true])),
  state: oneOf(CALL_STATES),
  verdict: oneOf(VERDICTS),
  coverage: oneOf(COVERAGES),
  sort: oneOf(SORTS),
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
