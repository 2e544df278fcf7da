import { filterRow } from '@ringdown/call-catalogue/fields';
import { LOAD_DIMENSIONS, type LoadDimension } from '@ringdown/call-catalogue/filters';
import { Conditions } from '../../../search/filter/call-filter.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { SiteLookup } from '../../../search/sites/site-table.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm, isKeyed } from '../dimensions.js';
import type { Span } from '../hours/counted-time.js';
import type { HourLoad } from '../hours/hour-loads.js';
import { chosenCalls } from '../load/load-steps.js';
import { LoadSweep, type Lasting } from './load-sweep.js';

/** Of all together, and of each dimension. */
export const LOADS: readonly string[] = ['', ...LOAD_DIMENSIONS];
/** Senders may invent any number of values: the load of a dimension that has more of them is not kept. */
const MOST_VALUES = 500;

interface Stream {
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly average: number | null;
  readonly maximum: number | null;
  readonly addresses: readonly string[];
}

interface Row {
  /** Milliseconds since 1970. */
  readonly began: number;
  readonly until: number;
  readonly frontEnds: readonly string[];
  readonly keys: readonly string[];
  readonly media: readonly Stream[];
}

type Sweeps = Map<string | null, LoadSweep>;

/** The load of a span of hours, by dimension: what `loadRows` reads of each, in one pass, because it is kept of all of them. */
export async function readLoads(
  transaction: Transaction,
  span: Span,
  sites: SiteLookup,
): Promise<ReadonlyMap<string, readonly HourLoad[]>> {
  const conditions = new Conditions({ uploads: 'exclude' });
  const [from, to] = [conditions.placeholder(span.from), conditions.placeholder(span.to)];
  const { rows } = await transaction.query<Row>(
    `with chosen as (${chosenCalls(conditions, { from, to }, 'front_ends, search_keys, media')})
     select ${milliseconds('began_at')} as began, ${milliseconds('until')} as until, to_json(front_ends) as "frontEnds",
       to_json(search_keys) as keys, media
     from chosen`,
    conditions.values,
  );
  const sweeps = new Map(LOADS.map((name): [string, Sweeps] => [name, new Map()]));
  const siteOf = remembered((address) => sites.siteOf(address));
  for (const row of rows) {
    add(sweeps.get('') ?? new Map(), [null], row, span);
    for (const by of LOAD_DIMENSIONS) {
      const ofDimension = sweeps.get(by) ?? new Map();
      if (by === 'site') addBySite(ofDimension, row, span, siteOf);
      else add(ofDimension, valuesOfCall(by, row), row, span);
    }
  }
  const kept = [...sweeps].filter(([, each]) => each.size <= MOST_VALUES);
  return new Map(kept.map(([name, each]) => [name, [...each].flatMap(([value, sweep]) => sweep.hours(value))]));
}

function milliseconds(time: string): string {
  return `extract(epoch from ${time})::float8 * 1000`;
}

function remembered(siteOf: (address: string) => string | undefined): (address: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (address) => {
    if (!known.has(address)) known.set(address, siteOf(address));
    return known.get(address);
  };
}

const PREFIXES: ReadonlyMap<LoadDimension, string> = new Map(
  LOAD_DIMENSIONS.filter((by) => isKeyed(by)).map((by) => [by, searchKey(filterRow(by).kind, '')]),
);

/** A call without a value counts under null. */
function valuesOfCall(by: Exclude<LoadDimension, 'site'>, { keys, frontEnds }: Row): readonly (string | null)[] {
  if (by === 'frontEnd') return frontEnds.length === 0 ? [null] : frontEnds;
  const prefix = PREFIXES.get(by) ?? '';
  const values = keys
    .filter((key) => key.startsWith(prefix) && !isHiddenForm(key))
    .map((key) => key.slice(prefix.length));
  return values.length === 0 ? [null] : values;
}

function add(sweeps: Sweeps, values: readonly (string | null)[], row: Row, span: Span): void {
  for (const value of values) {
    const sweep = sweepOf(sweeps, value, span);
    sweep.addCall({ from: row.began, to: row.until });
    for (const stream of row.media) addStream(sweep, stream, row, span);
  }
}

/** Values of streams: a call has those of all its streams. */
function addBySite(sweeps: Sweeps, row: Row, span: Span, siteOf: (address: string) => string | undefined): void {
  const ofCall = new Set<string | null>(row.media.length === 0 ? [null] : []);
  for (const stream of row.media) {
    const sites = new Set(stream.addresses.flatMap((address) => siteOf(address) ?? []));
    for (const site of sites.size === 0 ? [null] : sites) {
      ofCall.add(site);
      addStream(sweepOf(sweeps, site, span), stream, row, span);
    }
  }
  for (const site of ofCall) sweepOf(sweeps, site, span).addCall({ from: row.began, to: row.until });
}

function sweepOf(sweeps: Sweeps, value: string | null, span: Span): LoadSweep {
  const known = sweeps.get(value) ?? new LoadSweep(span);
  sweeps.set(value, known);
  return known;
}

function addStream(sweep: LoadSweep, stream: Stream, row: Row, span: Span): void {
  const average = Math.floor((stream.average ?? 0) + 0.5);
  const maximum = Math.floor((stream.maximum ?? 0) + 0.5);
  if (average > 0 || maximum > 0) sweep.addStream(timesOf(stream, row, span), average, maximum);
}

/** As `loadSteps` has them. */
function timesOf({ startedAt, endedAt }: Stream, { began, until }: Row, span: Span): Lasting {
  const from = startedAt === null ? began : Math.max(Date.parse(startedAt), began);
  const end = endedAt === null ? until : Math.min(Date.parse(endedAt), until);
  return { from, to: Math.max(end, from, span.from.getTime()) };
}
