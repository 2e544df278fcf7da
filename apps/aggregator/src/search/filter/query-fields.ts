import { RANGE_LIMITS, type RangeReading } from '@ringdown/call-catalogue/filters';
import { ReadAs, ReadText, WholeNumber } from '@ringdown/web-server/input';
import { MAX_WORDS, searchWords, SHORTEST_WORD } from '../words/search-words.js';
import { plausibleTime } from '../../calls/feed-record.js';

const MAX_LIST = 50;
const MAX_SEARCH = 255;
export const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** One text for which `isGood` is true; `what` completes "x must be". */
export const IsText = (what: string, isGood: (text: string) => boolean): PropertyDecorator =>
  ReadText(what, (text) => (isStorable(text) && isGood(text) ? text : undefined), 'text');

/** PostgreSQL does not allow this character in texts, nor does XML. */
function isStorable(text: string): boolean {
  return !text.includes('\0');
}

/** One of `values`. */
export const OneOf = (values: readonly string[]): PropertyDecorator =>
  ReadText(choiceText('one', values), (text) => (values.includes(text) ? text : undefined), 'choice');

/** What completes "x must be" where there is a choice. */
function choiceText(many: string, values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `${many} of ${values.join(', ')}`;
}

/** A list of some of `values`: `a,b`, or a repeated parameter. */
export const SomeOf = (values: readonly string[]): PropertyDecorator =>
  ReadAs(
    choiceText('one or several', values),
    (given) => {
      const list = parameterList(given);
      return list?.every((each) => values.includes(each)) ? list : undefined;
    },
    'choice',
  );

/** A list of whole numbers, as texts. */
export const Numbers = (): PropertyDecorator =>
  ReadAs(
    `one or several whole numbers, ${MAX_LIST} at most`,
    (given) => {
      const list = parameterList(given);
      return list && list.length <= MAX_LIST && list.every((each) => /^\d{1,9}$/.test(each)) ? list : undefined;
    },
    'number',
  );

/** `a,b` as a list, which a repeated parameter is already. */
function parameterList(given: unknown): readonly string[] | undefined {
  if (typeof given === 'string') return given.split(',');
  return Array.isArray(given) && given.every((each) => typeof each === 'string') ? given : undefined;
}

/** A time, as a Date. */
export const Moment = (): PropertyDecorator =>
  ReadText(
    'one ISO 8601 time after 1970 like 2026-03-02T10:00:00Z (write + as %2B)',
    (text) => {
      const at = plausibleTime(text);
      return at === undefined ? undefined : new Date(at);
    },
    'time',
  );

/** Minutes, hours or days until now, in milliseconds: `90m`, `24h`, `7d`; `all` is Infinity. */
export const TimeSpan = (): PropertyDecorator =>
  ReadText(
    'one time span like 90m, 24h or 7d, or all',
    (text) => {
      if (text === 'all') return Infinity;
      const [, count, unit] = /^([1-9][0-9]{0,4})([mhd])$/.exec(text) ?? [];
      return count === undefined ? undefined : Number(count) * (UNITS.get(unit ?? '') ?? NaN);
    },
    'period',
  );

/** Completes "x must be one number". */
const RANGE_ENDS: Readonly<Record<RangeReading, string>> = {
  seconds: 'of seconds',
  milliseconds: 'of milliseconds',
  share: 'like 0.05',
  mos: 'like 3.5',
  bits: 'of bit/s',
};

/** A number at which a range can end. */
export const RangeEnd = (reading: RangeReading): PropertyDecorator => {
  const { least, most, decimals } = RANGE_LIMITS[reading];
  const what = RANGE_ENDS[reading];
  return ReadText(
    decimals === 0
      ? `one whole number ${what} of at most ${String(most).length} digits`
      : `one number ${what} from ${least} to ${most}, with at most ${decimals} decimals`,
    (text) => {
      const number = /^\d{1,13}(?:\.\d{1,6})?$/.test(text) ? Number(text) : NaN;
      if ((text.split('.')[1]?.length ?? 0) > decimals) return undefined;
      return number >= least && number <= most ? number : undefined;
    },
    'number',
  );
};

/** A text of at most `length` characters. */
export const ShortText = (
  what: string,
  length: number,
  isGood: (text: string) => boolean = () => true,
): PropertyDecorator => IsText(what, (text) => text.trim() !== '' && text.length <= length && isGood(text));

/** One text of at most `length` characters, or several: a repeated parameter. Texts may contain commas. */
export const ShortTexts = (
  what: string,
  length: number,
  isGood: (text: string) => boolean = () => true,
): PropertyDecorator =>
  ReadAs(
    `one or several ${what}, ${MAX_LIST} at most`,
    (given) => {
      const list: readonly unknown[] = Array.isArray(given) ? given : [given];
      const texts = list.filter((text) => typeof text === 'string');
      if (texts.length < list.length || texts.length > MAX_LIST) return undefined;
      return texts.every((text) => isShort(text, length) && isGood(text)) ? texts : undefined;
    },
    'text',
  );

function isShort(text: string, length: number): boolean {
  return text.trim() !== '' && text.length <= length && isStorable(text);
}

/** Words of which each is part of a text, as a list: see {@link searchWords}. */
export const SearchWords = (): PropertyDecorator =>
  ReadText(
    `at most ${MAX_WORDS} words of at least ${SHORTEST_WORD} characters, each with a letter or digit, ${MAX_SEARCH} characters together`,
    (text) => (text.length <= MAX_SEARCH ? searchWords(text) : undefined),
    'words',
  );

/** The maximum number of items. */
export const Limit = (): PropertyDecorator => WholeNumber(1, MAX_LIMIT);

/**
 * The `next` of an earlier page. {@link Cursors} checks which list it belongs to: it is encrypted, and depends on the
 * other parameters.
 */
export const Cursor = (): PropertyDecorator => ShortText('the `next` of a page', 4_096);
