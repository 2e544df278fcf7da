import type { SiteLookup } from '../../../search/sites/site-table.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import { Conditions } from '../../../search/filter/call-filter.js';
import type { Transaction } from '../../database/transaction.js';
import type { Span } from '../hours/counted-time.js';
import { COPIED_COLUMNS, type CountedCalls, type KeptCall } from '../hours/hour-calls.js';
import { feedKey, isKeptKey, siteKey } from '../hours/kept-conditions.js';
import type { CallLoad } from '../hours/packed-calls.js';
import { readCallRows, callStreams, type CallRow } from '../load/call-rows.js';
import { problemBits } from '../suspects/call-problems.js';
import { remembered } from './remembered.js';
import { FactNumbers, placesOf, refusalIn } from '../suspects/suspect-rows.js';

/** A call as it is read to be counted. */
export interface CountedRow extends CallRow {
  readonly callKey: string;
  readonly problems: number;
  readonly addresses: readonly string[];
  readonly copied: Readonly<Record<string, string | null>>;
}

/** The calls in progress in the span, with all that is kept of them. */
export function readCountedRows(transaction: Transaction, span: Span): Promise<readonly CountedRow[]> {
  const conditions = new Conditions({ uploads: 'exclude' });
  const copied = COPIED_COLUMNS.map((name) => `'${name}', ${name}::text`).join(', ');
  return readCallRows<CountedRow>(transaction, conditions, span, {
    callKey: 'call_key',
    problems: problemBits(conditions),
    addresses: 'to_json(addresses)',
    copied: `json_build_object(${copied})`,
  });
}

interface SitesOf {
  readonly subnets: readonly SiteSubnet[];
  readonly table: SiteLookup;
}

/** The form in which calls are kept that began in the span. */
export async function keptCalls(
  transaction: Transaction,
  rows: readonly CountedRow[],
  from: Date,
  { subnets, table }: SitesOf,
): Promise<CountedCalls<KeptCall>> {
  const own = rows.filter(({ began }) => began >= from.getTime());
  const places = await placesOf(transaction, new Set(own.flatMap(({ addresses }) => addresses)), subnets);
  const facts = new FactNumbers();
  const siteOf = remembered((address: string) => table.siteOf(address));
  const kept = own.map((row): KeptCall => {
    const { callKey, began, problems, keys, addresses, frontEnds, copied } = row;
    const named = keys.filter(isKeptKey).map((key) => facts.of(key));
    const placed = addresses.flatMap((address) => places.get(address) ?? []).map((key) => facts.of(key));
    const known = [...named, ...placed].reduce((bits, fact) => bits | facts.bitOf(fact), 0);
    const all = new Set([...named, ...placed, ...frontEnds.map((name) => facts.of(feedKey(name)))]);
    return {
      callKey,
      at: Math.floor(began / 1_000),
      problems,
      known,
      facts: [...all],
      copied,
      load: packedLoad(row, siteOf, facts),
      ...refusalIn(keys, problems, facts),
    };
  });
  return { keys: facts.keys, rows: kept };
}

function packedLoad(row: CountedRow, siteOf: (address: string) => string | undefined, facts: FactNumbers): CallLoad {
  const isOpen = row.copied['lasted_until'] === null;
  const streams = callStreams(row).map(({ addresses, ...stream }, n) => ({
    ...stream,
    until: row.media[n]?.endedAt === null ? undefined : stream.until,
    sites: [...new Set(addresses.flatMap((address) => siteOf(address) ?? []))].map((site) => facts.of(siteKey(site))),
  }));
  return { began: row.began, until: isOpen ? undefined : row.until, streams };
}
