import { filterRow } from '@ringdown/call-catalogue/fields';
import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { SiteLookup } from '../../../search/sites/site-table.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm } from '../dimensions.js';
import { feedKey, siteKey } from '../hours/kept-conditions.js';
import type { CallLoad } from '../hours/packed-calls.js';
import { callStreams, valuesOfCall, type CallRow } from './call-rows.js';
import { seriesOfSites, type SeriesOfCall } from './swept-call.js';

/** The number of null: calls, or streams, without a value. */
const NONE = 0;
const NO_VALUE: SeriesOfCall = { call: [NONE] };

/**
 * The values of a dimension that calls have, numbered: each is a series of its own. Of kept calls they are found by the numbers of their facts,
 * and of others by themselves.
 */
export class KeptValues {
  /** By number. */
  readonly names: (string | null)[] = [null];
  private readonly numbers = new Map<string, number>();
  private readonly byFact = new Map<number, number>();

  private constructor(
    readonly by: LoadDimension | undefined,
    private readonly sites: SiteLookup,
  ) {}

  static async of(transaction: Transaction, by: LoadDimension | undefined, sites: SiteLookup): Promise<KeptValues> {
    const values = new KeptValues(by, sites);
    if (by === undefined) return values;
    const prefix = prefixOf(by);
    const { rows } = await transaction.query<{ id: number; key: string }>(
      `select id, key from call_facts where key >= $1 and key < $2`,
      [prefix, `${prefix}\u{10FFFF}`],
    );
    for (const { id, key } of rows)
      if (!isHiddenForm(key)) values.byFact.set(id, values.numberOf(key.slice(prefix.length)));
    return values;
  }

  /** Sites are those of streams, which the packed loads have. */
  get needFacts(): boolean {
    return this.by !== undefined && this.by !== 'site';
  }

  ofKept(facts: readonly number[], { streams }: Pick<CallLoad, 'streams'>): SeriesOfCall {
    if (this.by === undefined) return NO_VALUE;
    if (this.by === 'site') {
      const sites = streams.map((stream) => this.numbersOf(stream.sites));
      return seriesOfSites(sites, NONE);
    }
    const numbers = this.numbersOf(facts);
    return numbers.length === 0 ? NO_VALUE : { call: numbers };
  }

  ofRow(row: CallRow): SeriesOfCall {
    if (this.by === undefined) return NO_VALUE;
    if (this.by !== 'site') return { call: valuesOfCall(this.by, row).map((value) => this.numberOf(value)) };
    const siteOf = (address: string): string | undefined => this.sites.siteOf(address);
    const sites = callStreams(row).map(({ addresses }) => addresses.flatMap((address) => siteOf(address) ?? []));
    return seriesOfSites(
      sites.map((names) => names.map((name) => this.numberOf(name))),
      NONE,
    );
  }

  private numberOf(value: string | null): number {
    if (value === null) return NONE;
    const known = this.numbers.get(value);
    if (known !== undefined) return known;
    const number = this.names.push(value) - 1;
    this.numbers.set(value, number);
    return number;
  }

  private numbersOf(facts: readonly number[]): readonly number[] {
    const found: number[] = [];
    for (const fact of facts) {
      const number = this.byFact.get(fact);
      if (number !== undefined) found.push(number);
    }
    return found;
  }
}

function prefixOf(by: LoadDimension): string {
  if (by === 'frontEnd') return feedKey('');
  return by === 'site' ? siteKey('') : searchKey(filterRow(by).kind, '');
}
