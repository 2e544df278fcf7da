import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { NAMES_BEFORE } from '../api/catalogue.js';
import { formatDecimal, formatTime, withUnit } from '../parts/format.js';
import { enteredTime } from '../parts/time/time-zone.js';
import { texts } from '../texts/search.js';
import { searchField, RANGES, TEXTS, valueWord, type RangeField, type TextName } from './fields.js';

/** One filter with its value, as parameters of the query API have them. */
export interface Condition {
  readonly name: string;
  readonly value: string;
}

/** Parameters of the query API; several values of one are sent repeatedly. */
export type Parameters = Readonly<Record<string, string | readonly string[]>>;

/** What a parameter does. */
export type Meaning =
  | { readonly kind: 'is' | 'isNot'; readonly field: TextName }
  | { readonly kind: 'verdictIsNot' | 'stateIsNot' }
  | { readonly kind: 'atLeast' | 'atMost'; readonly range: RangeField };

/** The query API cannot exclude them. */
const NEVER_EXCLUDED: ReadonlySet<TextName> = new Set(['address', 'site', 'callId', 'uploads']);

const MEANINGS: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...TEXTS.map((field) => [field, { kind: 'is', field }] as const),
  ...TEXTS.filter(isExcludable).map((field) => [`not.${field}`, { kind: 'isNot', field }] as const),
  ['not.verdict', { kind: 'verdictIsNot' }],
  ['not.state', { kind: 'stateIsNot' }],
  ...RANGES.flatMap((range) => [
    [range.min, { kind: 'atLeast', range }] as const,
    [range.max, { kind: 'atMost', range }] as const,
  ]),
]);

export function isExcludable(field: TextName): boolean {
  return !NEVER_EXCLUDED.has(field);
}

/** Undefined if the search has no such parameter. */
export function conditionMeaning(name: string): Meaning | undefined {
  return MEANINGS.get(name);
}

const NOT = 'not.';

/** The parameter under its present name: that of an address or a stored search may be of an earlier release. */
export function presentName(parameter: string, before: typeof NAMES_BEFORE = NAMES_BEFORE): string {
  if (parameter.startsWith(NOT)) return `${NOT}${presentName(parameter.slice(NOT.length), before)}`;
  return (Object.hasOwn(before, parameter) ? before[parameter] : undefined) ?? parameter;
}

/** All parameters that are conditions. */
export const CONDITION_NAMES: readonly string[] = [...MEANINGS.keys()];

/** A condition in words: `Codec: PCMU/8000`, `MOS at most 3.5`. */
export function searchConditionWords({ name, value }: Condition): string {
  const meaning = MEANINGS.get(name);
  switch (meaning?.kind) {
    case 'is':
      return texts.is(searchField(meaning.field).label, fieldValue(meaning.field, value));
    case 'isNot':
      return texts.isNot(searchField(meaning.field).label, fieldValue(meaning.field, value));
    case 'verdictIsNot':
      return texts.isNot(texts.verdict, valueWord(VERDICTS, value));
    case 'stateIsNot':
      return texts.isNot(texts.state, valueWord(CALL_STATES, value));
    case 'atLeast':
      return texts[meaning.range.isTime ? 'from' : 'atLeast'](meaning.range.label, shown(meaning.range, value));
    case 'atMost':
      return texts[meaning.range.isTime ? 'until' : 'atMost'](meaning.range.label, shown(meaning.range, value));
    default:
      return listWords(name, value);
  }
}

/** What the search has chips or a box of its own for. */
function listWords(name: string, value: string): string {
  switch (name) {
    case 'q':
      return texts.is(texts.words, value);
    case 'verdict':
      return texts.is(texts.verdict, valueWord(VERDICTS, value));
    case 'state':
      return texts.is(texts.state, valueWord(CALL_STATES, value));
    default:
      return texts.is(name, value);
  }
}

function fieldValue(field: TextName, value: string): string {
  const known = searchField(field).values;
  if (known === undefined) return value;
  // Several values of a choice may stand in one parameter.
  return value
    .split(',')
    .map((each) => valueWord(known, each))
    .join(', ');
}

function shown({ unit, factor = 1, isTime }: RangeField, value: string): string {
  if (isTime) return formatTime(Date.parse(value));
  const number = formatDecimal(Number((Number(value) * factor).toPrecision(6)));
  return unit === undefined ? number : withUnit(number, unit);
}

/** What was typed for a range as a value for the query; undefined if it is neither a number nor a time. */
export function rangeValue({ factor = 1, isTime }: RangeField, typed: string): string | undefined {
  const text = typed.trim().replace(',', '.');
  if (isTime) {
    const at = enteredTime(typed);
    return Number.isNaN(at) ? undefined : new Date(at).toISOString();
  }
  const number = Number(text);
  if (text === '' || !Number.isFinite(number) || number < 0) return undefined;
  // The API takes no exponents.
  return (number / factor).toLocaleString('en', { useGrouping: false, maximumSignificantDigits: 6 });
}

/** Adds a condition; one that takes a single value is replaced. */
export function withCondition(conditions: readonly Condition[], added: Condition): readonly Condition[] {
  const meaning = MEANINGS.get(added.name);
  const isSingle =
    meaning?.kind === 'atLeast' ||
    meaning?.kind === 'atMost' ||
    (meaning?.kind === 'is' && searchField(meaning.field).several === 'never');
  const others = conditions.filter(({ name, value }) => name !== added.name || !(isSingle || value === added.value));
  return [...others, added];
}

/** Parameters with all values of each: the API takes some repeated, and others in one text with commas. */
export function conditionParameters(conditions: readonly Condition[]): Parameters {
  const values = new Map<string, string[]>();
  for (const { name, value } of conditions) values.set(name, [...(values.get(name) ?? []), value]);
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length > 1 && takesRepeated(name) ? all : all.join(',')]),
  );
}

function takesRepeated(name: string): boolean {
  const meaning = MEANINGS.get(name);
  return (meaning?.kind === 'is' || meaning?.kind === 'isNot') && searchField(meaning.field).several === 'repeated';
}
