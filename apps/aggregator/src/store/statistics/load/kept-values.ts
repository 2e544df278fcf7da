import { filterRow } from '@ringdown/call-catalogue/fields';
import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { SiteLookup } from '../../../search/sites/site-table.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm } from '../dimensions.js';
import { feedKey, siteKey } from '../hours/kept-conditions.js';
import type { CallLoad } from '../hours/packed-calls.js';
import { callStreams, valuesOfCall, type CallRow } from './call-rows.js';

/** The values of one call, and of each of its streams if these have their own. */
export interface ValuesOfCall {
  readonly call: readonly (string | null)[];
  readonly streams?: readonly (readonly (string | null)[])[];
}

const TOGETHER: ValuesOfCall = { call: [null] };

/** The values of a dimension that calls have: of those that are kept, by the numbers of their facts, and of others by themselves. */
export class KeptValues {
  private constructor(
    readonly by: LoadDimension | undefined,
    private readonly valueOf: ReadonlyMap<number, string>,
    private readonly sites: SiteLookup,
  ) {}

  static async of(transaction: Transaction, by: LoadDimension | undefined, sites: SiteLookup): Promise<KeptValues> {
    if (by === undefined) return new KeptValues(by, new Map(), sites);
    const prefix = prefixOf(by);
    const { rows } = await transaction.query<{ id: number; key: string }>(
      `select id, key from call_facts where key >= $1 and key < $2`,
      [prefix, `${prefix}\u{10FFFF}`],
    );
    const own = rows.filter(({ key }) => !isHiddenForm(key));
    return new KeptValues(by, new Map(own.map(({ id, key }) => [id, key.slice(prefix.length)])), sites);
  }

  /** Sites are those of streams, which the packed loads have. */
  get needFacts(): boolean {
    return this.by !== undefined && this.by !== 'site';
  }

  ofKept(facts: readonly number[], load: Pick<CallLoad, 'streams'>): ValuesOfCall {
    if (this.by === undefined) return TOGETHER;
    if (this.by !== 'site') return { call: this.named(facts) };
    return ofStreams(load.streams.map(({ sites }) => this.named(sites)));
  }

  ofRow(row: CallRow): ValuesOfCall {
    if (this.by === undefined) return TOGETHER;
    if (this.by !== 'site') return { call: valuesOfCall(this.by, row) };
    return ofStreams(
      callStreams(row).map(({ addresses }) => {
        const sites = new Set(addresses.flatMap((address) => this.sites.siteOf(address) ?? []));
        return sites.size === 0 ? [null] : [...sites];
      }),
    );
  }

  private named(ids: readonly number[]): readonly (string | null)[] {
    const found: string[] = [];
    for (const id of ids) {
      const value = this.valueOf.get(id);
      if (value !== undefined) found.push(value);
    }
    return found.length === 0 ? [null] : found;
  }
}

/** A call has the values of all its streams. */
function ofStreams(streams: readonly (readonly (string | null)[])[]): ValuesOfCall {
  return { call: streams.length === 0 ? [null] : [...new Set(streams.flat())], streams };
}

function prefixOf(by: LoadDimension): string {
  if (by === 'frontEnd') return feedKey('');
  return by === 'site' ? siteKey('') : searchKey(filterRow(by).kind, '');
}
