import { filterRow } from '@ringdown/call-catalogue/fields';
import { SUSPECT_DIMENSIONS, type SuspectDimension } from '@ringdown/call-catalogue/filters';
import { LEAST_CALLS, type Fact, type SuspectCall, type SuspectCalls } from '@ringdown/quality/suspects';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { deriveCall } from '../src/calls/derive-call.js';
import type { Call } from '../src/calls/call.js';
import { isFault } from '../src/calls/life/call-outcome.js';
import { mediaFacts } from '../src/calls/streams/media-facts.js';
import { hopName } from '../src/search/keys/hop-keys.js';
import { callAddresses, mediaSearchKeys, searchKey, searchKeys } from '../src/search/keys/search-keys.js';
import type { SiteSubnet } from '../src/search/sites/load-sites.js';
import { SiteTable } from '../src/search/sites/site-table.js';

export interface SentRecord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly frontEnd: string;
  readonly record: DiagnosticsRecord;
}

/** The call of these records, as the aggregator derives it. */
export function callOfRecords(records: readonly SentRecord[]): Call {
  return deriveCall(
    records.map(({ at, frontEnd, record }, n) => {
      return { id: `${n}`, digest: `${n}`, size: 1, receivedAt: at, feed: frontEnd, record: asRead(record) };
    }),
  ).call;
}

/** Texts of diagnostics are read into their parts; other records are the same without that, and are many. */
function asRead(record: DiagnosticsRecord): DiagnosticsRecord {
  if (!record.events.some(({ kind }) => kind === 'error')) return record;
  const message = readFeedMessage(writeRecord(record, defaultProfile), defaultProfile);
  if (message.kind !== 'record') throw new Error('a record that was written is not read as one');
  return message.record;
}

/** What the database counts, of calls in memory: an oracle for its SQL, and the demo's way to the ranking without servers. */
export function suspectCalls(calls: readonly Call[], subnets: readonly SiteSubnet[]): SuspectCalls<SuspectDimension> {
  const sites = new SiteTable(subnets);
  const values = calls.map((call) => suspectValues(call, sites));
  const counts = new Map<string, number>();
  for (const key of values.flat()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const keys = [...counts].flatMap(([key, count]) => (count >= LEAST_CALLS ? key : [])).toSorted();
  const numbers = new Map(keys.map((key, fact) => [key, fact]));
  return {
    dimensions: SUSPECT_DIMENSIONS,
    facts: keys.map((key) => readKey(key)),
    calls: calls.map((call, n) => suspectCall(call, values[n] ?? [], numbers)),
    refusing: 'hop',
  };
}

function suspectCall(call: Call, keys: readonly string[], numbers: ReadonlyMap<string, number>): SuspectCall {
  const isFinished = call.state === 'ended' || call.state === 'failed';
  const isJudged = call.verdict !== 'unknown';
  return {
    facts: keys.flatMap((key) => numbers.get(key) ?? []),
    known: keys.reduce((bits, key) => bits | (1 << SUSPECT_DIMENSIONS.indexOf(readKey(key).dimension)), 0),
    problems: {
      ...(isJudged ? { bad: call.verdict === 'bad' } : {}),
      ...(isFinished ? { failed: call.state === 'failed' && isFault(call.end?.code) } : {}),
      ...(isJudged || call.audio !== null ? { noAudio: call.audio !== null } : {}),
    },
    refusedBy: numbers.get(searchKey('hop', hopName(call.end?.refusedBy?.hop ?? ''))),
  };
}

function suspectValues(call: Call, sites: SiteTable): readonly string[] {
  const addresses = callAddresses(call);
  const all = [...searchKeys(call, addresses), ...mediaSearchKeys(mediaFacts(call))];
  const named = all.filter((key) => SUSPECT_DIMENSIONS.some((name) => isOfDimension(key, name)));
  const nets = addresses.flatMap(({ text, family }) =>
    family === 4 ? `subnet:${text.split('.').slice(0, 3).join('.')}.0/24` : [],
  );
  const places = addresses.flatMap(({ text }) => sites.siteOf(text) ?? []).map((site) => `site:${site}`);
  return [...new Set([...named, ...nets, ...places])];
}

function isOfDimension(key: string, name: SuspectDimension): boolean {
  return name !== 'site' && name !== 'subnet' && key.startsWith(searchKey(filterRow(name).kind, ''));
}

function readKey(key: string): Fact<SuspectDimension> {
  const colon = key.indexOf(':');
  const kind = key.slice(0, colon);
  const dimension = SUSPECT_DIMENSIONS.find((name) => name === kind);
  if (dimension === undefined) throw new Error(`the key "${key}" has no dimension`);
  return { dimension, value: key.slice(colon + 1) };
}
