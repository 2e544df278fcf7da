import { CALL_RANGES, RANGE_NAMES, type RangeName } from '@ringdown/call-catalogue/filters';
import type { Verdict } from '@ringdown/quality';
import type { CallState } from '../../calls/call.js';
import { numberPairSearch } from '../keys/number-pairs.js';
import { IN_PLACE_OF_PUNCTUATION, indexedWordPattern, PUNCTUATION } from '../words/search-words.js';
import type { Place } from '../sites/site-places.js';
import type { Uploads } from '../../calls/life/uploaded-calls.js';

/** An absent property does not filter; a call must match all that are present. */
export interface CallFilter {
  readonly states?: readonly CallState[] | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly withoutStates?: readonly CallState[] | undefined;
  readonly withoutVerdicts?: readonly Verdict[] | undefined;
  /** Calls that began in [from, to). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Of which `from` was made, milliseconds: pages of a list have the same one. */
  readonly last?: number | undefined;
  /** See `callKey`. */
  readonly callKey?: string | undefined;
  /** A call has at least one key of each of these lists (see `searchKey`). */
  readonly searchKeys?: readonly (readonly string[])[] | undefined;
  /** A call has none of these keys. */
  readonly withoutSearchKeys?: readonly string[] | undefined;
  /** Each of these words is part of one of its texts (see `searchWords`). */
  readonly words?: readonly string[] | undefined;
  /**
   * No condition of its own: keys of the calls that may be without the newest search keys until they are rebuilt, `many` if they are
   * too many to list. Undefined: not looked up (see `withStaleCalls`).
   */
  readonly stale?: readonly string[] | 'many' | undefined;
  /** Whether texts are searched that operators without the role `reveal` do not see. */
  readonly searchesIdentities?: boolean | undefined;
  /** One of its addresses is in this subnet, in PostgreSQL's notation. */
  readonly subnet?: string | undefined;
  /** No condition of its own: what `subnet`, or one of the lists of keys, was made of. */
  readonly address?: string | undefined;
  /** One of its addresses is in one of these. */
  readonly places?: readonly Place[] | undefined;
  /** No condition of its own: the site of `places`, if they are those of one. */
  readonly site?: string | undefined;
  readonly ranges?: CallRanges | undefined;
  /** Default: also those of uploads. */
  readonly uploads?: Uploads | undefined;
}

export function excludingUploads(filter: CallFilter): CallFilter {
  return { ...filter, uploads: filter.uploads ?? 'exclude' };
}

/** Both ends included; an absent end is open. */
export interface Range<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** A call without the value is not in a range of it. */
export interface CallRanges extends Readonly<Record<RangeName, Range<number>>> {
  readonly invitedAt: Range<Date>;
  /** In progress at some moment of it. */
  readonly running: Range<Date>;
}

const RANGE_COLUMNS: readonly (readonly [Exclude<keyof CallRanges, 'running'>, string])[] = [
  ...RANGE_NAMES.map((name) => [name, CALL_RANGES[name].column] as const),
  ['invitedAt', 'invited_at'],
];

/**
 * The expression of the index `calls_by_text`, which finds nothing if it is written otherwise. It is computed for each call that
 * the index proposes: `translate` compares each character with each mark, which takes six times as long.
 */
function indexed(column: string): string {
  return Array.from(PUNCTUATION).reduce((text, mark, n) => {
    const quoted = mark.replace("'", "''");
    return `replace(${text}, '${quoted}', '${IN_PLACE_OF_PUNCTUATION[n]}')`;
  }, column);
}

/** Conditions in SQL and the values of their placeholders. */
export class Conditions {
  readonly values: unknown[] = [];
  private readonly terms: string[] = [];

  constructor(filter: CallFilter) {
    this.add(filter.states, (states) => `state = any(${states})`);
    this.add(filter.verdicts, (verdicts) => `verdict = any(${verdicts})`);
    this.add(filter.withoutStates, (states) => `state <> all(${states})`);
    this.add(filter.withoutVerdicts, (verdicts) => `verdict <> all(${verdicts})`);
    this.add(filter.from, (from) => `began_at >= ${from}`);
    this.add(filter.to, (to) => `began_at < ${to}`);
    this.add(filter.callKey, (key) => `call_key = ${key}`);
    for (const keys of filter.searchKeys ?? []) this.add(keys, (any) => `search_keys && ${any}::text[]`);
    this.add(filter.withoutSearchKeys, (any) => `not search_keys && ${any}::text[]`);
    for (const word of filter.words ?? []) this.addWord(word, filter);
    if (filter.subnet !== undefined) this.addPlaces([{ net: filter.subnet, except: [] }]);
    if (filter.places !== undefined) this.addPlaces(filter.places);
    if (filter.ranges !== undefined) this.addRanges(filter.ranges);
    if (filter.uploads === 'exclude') this.always('not uploaded');
    if (filter.uploads === 'only') this.always('uploaded');
  }

  /** `where …`, or an empty text. */
  get where(): string {
    return this.terms.length === 0 ? '' : `where ${this.terms.join(' and ')}`;
  }

  /** Adds a condition about a value, unless that is undefined. */
  add(value: unknown, term: (placeholder: string) => string): void {
    if (value !== undefined) this.terms.push(term(this.placeholder(value)));
  }

  always(term: string): void {
    this.terms.push(term);
  }

  private addWord(word: string, filter: CallFilter): void {
    const columns = filter.searchesIdentities === true ? ['shown_text', 'identity_text'] : ['shown_text'];
    this.always(this.proposedFor(word, columns, filter));
    // `like` once more would make the planner expect far too few calls.
    const text = this.placeholder(word);
    this.always(`(${columns.map((column) => `strpos(${column}, ${text}) > 0`).join(' or ')})`);
  }

  /** Calls that may have the word, by an index. */
  private proposedFor(word: string, columns: readonly string[], { searchesIdentities, stale }: CallFilter): string {
    const pairs = numberPairSearch(searchesIdentities === true ? ['numbers', 'hiddenNumbers'] : ['numbers'], word);
    if (pairs.length === 0 || stale === 'many') return this.isLike(word, columns);
    const hasPairs = pairs.map((keys) => `search_keys && ${this.placeholder(keys)}::text[]`).join(' and ');
    if (stale?.length === 0) return hasPairs;
    const isStale = stale === undefined ? 'stale' : `call_key = any(${this.placeholder(stale)}::text[])`;
    return `(${hasPairs} or ${isStale} and ${this.isLike(word, columns)})`;
  }

  private isLike(word: string, columns: readonly string[]): string {
    const pattern = this.placeholder(indexedWordPattern(word));
    return `(${columns.map((column) => `${indexed(column)} like ${pattern}`).join(' or ')})`;
  }

  private addRanges(ranges: CallRanges): void {
    for (const [name, column] of RANGE_COLUMNS) {
      const { from, to } = ranges[name];
      this.add(from, (value) => `${column} >= ${value}`);
      this.add(to, (value) => `${column} <= ${value}`);
    }
    this.add(ranges.running.from, (from) => `(lasted_until is null or lasted_until >= ${from})`);
    this.add(ranges.running.to, (to) => `began_at <= ${to}`);
  }

  private addPlaces(places: readonly Place[]): void {
    const terms = places.map(({ net, except }) => {
      const inside = `address <<= ${this.placeholder(net)}::inet`;
      return except.length === 0 ? inside : `(${inside} and not address <<= any(${this.placeholder(except)}::inet[]))`;
    });
    this.always(`exists (select 1 from unnest(addresses) as address where ${terms.join(' or ')})`);
  }

  placeholder(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
