import { FILTERS, RANGES as NUMBERS, type FILTER_GROUPS } from '../api/catalogue.js';
import { texts as partTexts } from '../texts/parts.js';
import { texts as qualityTexts } from '../texts/quality.js';
import { texts } from '../texts/search.js';

const VALUE_WORDS = { ...partTexts.verdicts, ...partTexts.states, ...partTexts.metrics, ...texts.values };

/** A value of the API that is shown as a word. */
export type ValueName = keyof typeof VALUE_WORDS;

/** A filter with a text, as the query API has it (docs/openapi.yaml, `listCalls`). */
export interface SearchField {
  readonly label: string;
  readonly group: (typeof FILTER_GROUPS)[number];
  readonly example?: string;
  /** All values, if there are only a few. */
  readonly values?: readonly ValueName[];
  /** How several values are sent: as repeated parameters, in one parameter with commas, or not at all. */
  readonly several: 'repeated' | 'commas' | 'never';
  /** Whether `/api/suggest` has values of it. */
  readonly suggested?: true;
}

const { user, frontEnd, ...OTHER_FIELDS } = FILTERS;

/** In the order of the address. */
const ROWS = {
  user,
  address: { group: 'network', example: '10.1.0.0/16', several: 'never' },
  frontEnd,
  site: { group: 'network', example: 'Oslo', several: 'never', suggested: true }, // not shown: a name, as people enter it
  ...OTHER_FIELDS,
  uploads: { group: 'call', several: 'never', values: ['exclude', 'include', 'only'] },
  callId: { group: 'call', several: 'never' },
} as const;

export type TextName = keyof typeof ROWS;

/** The words of dimensions are those of the filters. Does not compile while a filter has no name. */
const LABELS: Readonly<Record<TextName, string>> = { ...dimensionLabels(), ...texts.fields };

type Words = typeof qualityTexts.dimensions;

function dimensionLabels(): Readonly<Record<keyof Words, string>> {
  const labels = Object.entries(qualityTexts.dimensions).map(([name, { one }]) => [name, one]);
  return Object.fromEntries(labels) as Record<keyof Words, string>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- has an entry for each name
}

/** Filters of one text each; their names are those of the query API. */
export const TEXTS = Object.keys(ROWS).filter((name): name is TextName => name in ROWS);

export function searchField(name: TextName): SearchField {
  return { label: LABELS[name], ...ROWS[name] };
}

/** The word for one of the known values; another value as it is. */
export function valueWord(known: readonly ValueName[], value: string): string {
  const name = known.find((each) => each === value);
  return name === undefined ? value : VALUE_WORDS[name];
}

/** A value of a field or dimension, in words if it has a known set of values. */
export function fieldWord(name: string, value: string): string {
  const known = TEXTS.find((each) => each === name);
  return known === undefined ? value : valueWord(searchField(known).values ?? [], value);
}

/** A value between two numbers or times; `min` and `max` are parameters of the query API. */
export interface RangeField {
  readonly label: string;
  readonly min: string;
  readonly max: string;
  readonly unit?: string;
  /** A shown number is this many times the one in the query. */
  readonly factor?: number;
  readonly isTime?: true;
}

/** Does not compile while a range has no name. */
const RANGE_LABELS: Readonly<Record<keyof typeof NUMBERS, string>> & Readonly<Record<string, string>> = texts.ranges;

/** How the numbers of the API are shown. */
const SHOWN: Readonly<Record<(typeof NUMBERS)[keyof typeof NUMBERS]['reads'], Pick<RangeField, 'unit' | 'factor'>>> = {
  seconds: { unit: 's' },
  milliseconds: { unit: 'ms' },
  share: { unit: '%', factor: 100 },
  mos: {},
  bits: { unit: 'Mbit/s', factor: 1e-6 },
};

export const RANGES: readonly RangeField[] = [
  ...Object.entries(NUMBERS).map(([name, { min, max, reads }]) => ({
    label: RANGE_LABELS[name] ?? name,
    min,
    max,
    ...SHOWN[reads],
  })),
  { label: texts.ranges.invited, min: 'invitedFrom', max: 'invitedTo', isTime: true },
  { label: texts.ranges.running, min: 'runningFrom', max: 'runningTo', isTime: true },
];
