import type { CallState, Verdict } from '../calls/call.js';
import { patternOf } from '../calls/search-words.js';
import type { Place } from '../calls/site-places.js';

/** An absent property does not filter; a call must match all that are present. */
export interface CallFilter {
  readonly states?: readonly CallState[] | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly withoutStates?: readonly CallState[] | undefined;
  readonly withoutVerdicts?: readonly Verdict[] | undefined;
  /** Calls that began in [from, to). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** See `callKey`. */
  readonly callKey?: string | undefined;
  /** A call has at least one key of each of these lists (see `searchKey`). */
  readonly searchKeys?: readonly (readonly string[])[] | undefined;
  /** A call has none of these keys. */
  readonly withoutSearchKeys?: readonly string[] | undefined;
  /** Each of these words is part of one of its texts (see `searchWords`). */
  readonly words?: readonly string[] | undefined;
  /** Whether texts are searched that operators without the role `reveal` do not see. */
  readonly searchesIdentities?: boolean | undefined;
  /** One of its addresses is in this subnet, in PostgreSQL's notation. */
  readonly subnet?: string | undefined;
  /** One of its addresses is in one of these. */
  readonly places?: readonly Place[] | undefined;
  readonly setup?: SetupFilter | undefined;
  /** In seconds; a call without a known duration is in no range. */
  readonly duration?: Range<number> | undefined;
}

/** Both ends included; an absent end is open. */
export interface Range<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/** A call without the time is not in a range of it. */
export interface SetupFilter {
  readonly invitedAt: Range<Date>;
  readonly ringSeconds: Range<number>;
  readonly setupSeconds: Range<number>;
  readonly postDialSeconds: Range<number>;
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
    for (const word of filter.words ?? []) this.addWord(word, filter.searchesIdentities === true);
    if (filter.subnet !== undefined) this.addPlaces([{ net: filter.subnet, except: [] }]);
    if (filter.places !== undefined) this.addPlaces(filter.places);
    if (filter.setup !== undefined) this.addSetup(filter.setup);
    // An unknown duration is stored as a negative one.
    this.add(filter.duration && (filter.duration.from ?? 0), (least) => `duration_seconds >= ${least}`);
    this.add(filter.duration?.to, (most) => `duration_seconds <= ${most}`);
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

  private addWord(word: string, searchesIdentities: boolean): void {
    const pattern = this.placeholder(patternOf(word));
    const isShown = `shown_text like ${pattern}`;
    this.always(searchesIdentities ? `(${isShown} or identity_text like ${pattern})` : isShown);
  }

  private addSetup({ invitedAt, ringSeconds, setupSeconds, postDialSeconds }: SetupFilter): void {
    const columns = {
      invited_at: invitedAt,
      ring_seconds: ringSeconds,
      setup_seconds: setupSeconds,
      post_dial_seconds: postDialSeconds,
    };
    for (const [column, { from, to }] of Object.entries(columns)) {
      this.add(from, (value) => `${column} >= ${value}`);
      this.add(to, (value) => `${column} <= ${value}`);
    }
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
