import type { SearchParameters } from '@ringdown/answers/searches';
import { AUDIO } from '@ringdown/call-catalogue/choices';
import { presentName } from '@ringdown/call-catalogue/fields';
import type { SuspectDimension } from '@ringdown/call-catalogue/filters';
import type { Fact } from '@ringdown/quality/suspects';
import { isoTime } from '../../calls/streams/report-source.js';
import { fieldKey } from '../../search/keys/search-keys.js';
import type { CallFilterQuery } from '../../search/query/call-filter-query.js';
import type { FoundSuspect } from '../../store/statistics/suspects/suspects.js';

/** How a value is shown to the operator: one that may not see it searches for that. */
export type ShowValue = (field: string, value: string) => string;

interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The parameter that finds calls by a value of the dimension. */
const PARAMETERS: Readonly<Partial<Record<SuspectDimension, 'address'>>> = { subnet: 'address' };
/** Of the question, not of its calls. */
const NO_FILTERS: ReadonlySet<string> = new Set(['from', 'to', 'last', 'limit']);

/**
 * Whether the calls with the value can be found within the filter: a parameter has one list of values, of which a call needs one. Where the
 * filter has a list already, only its values can be suspects.
 */
export function isSearchable(
  query: CallFilterQuery,
  { dimension, value }: Fact<SuspectDimension>,
  show: ShowValue,
): boolean {
  if (dimension === 'subnet') return query.address === undefined;
  if (dimension === 'site') return query.site === undefined || query.site === value;
  const own = [value, show(dimension, value)].map((text) => fieldKey(dimension, text));
  return query[dimension]?.some((wanted) => own.includes(fieldKey(dimension, wanted))) ?? true;
}

/** The parameters of `GET /api/calls` that find the calls with the problem. `given`: those of the question. */
export function suspectSearch(
  given: Readonly<Record<string, unknown>>,
  { from, to }: Period,
  suspect: Pick<FoundSuspect, 'problem' | 'dimension' | 'value' | 'codes'>,
  show: ShowValue,
): SearchParameters {
  return {
    uploads: 'exclude',
    ...filtersIn(given),
    ...ofProblem(suspect, show),
    from: isoTime(from.getTime()),
    to: isoTime(to.getTime()),
  };
}

function filtersIn(given: Readonly<Record<string, unknown>>): SearchParameters {
  const filters = Object.entries(given).flatMap(([name, value]): readonly [string, string | readonly string[]][] => {
    if (NO_FILTERS.has(name)) return [];
    if (typeof value === 'string') return [[presentName(name), value]];
    return Array.isArray(value) ? [[presentName(name), value.filter((each) => typeof each === 'string')]] : [];
  });
  return Object.fromEntries(filters);
}

function ofProblem(
  { problem, dimension, value, codes }: Pick<FoundSuspect, 'problem' | 'dimension' | 'value' | 'codes'>,
  show: ShowValue,
): SearchParameters {
  // A server is to blame only for what it refused itself.
  if (problem === 'failed' && dimension === 'hop') return { refusedBy: show('refusedBy', value), state: 'failed' };
  const own = { [PARAMETERS[dimension] ?? dimension]: show(dimension, value) };
  if (problem === 'bad') return { ...own, verdict: 'bad' };
  if (problem === 'noAudio') return { ...own, audio: [...AUDIO] };
  return { ...own, state: 'failed', endCode: codes.map(String) };
}
