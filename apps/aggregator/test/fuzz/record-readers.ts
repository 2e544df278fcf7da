import { IdentityHiding } from '@ringdown/identity-hiding';
import { fuzzedReader, type FuzzedReader } from '@ringdown/testing/fuzz/fuzzed-reader';
import { defaultProfile } from '@ringdown/vendor-profile';
import { convertRecord, FeedSyntaxError, readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { csvLine } from '../../src/http/call-csv.js';
import { listedCall } from '../../src/http/listed-call.js';
import { defaultRules, deriveCall, NO_HISTORY } from '../../src/calls/derive-call.js';
import { feedRecord } from '../../src/calls/feed-record.js';
import { fold, type Fold } from '../../src/calls/fold.js';
import { UNKNOWN_CALL } from '../../src/store/calls/known-calls.js';
import { recordRow } from '../../src/store/calls/record-rows.js';
import { recordStorage } from '../../src/store/calls/record-storage.js';
import { callDocuments, callRow } from '../../src/store/calls/rows.js';
import { columnChunks } from '../../src/store/database/columns.js';
import { pumpedCall } from './pumped-records.js';

const RECEIVED = Date.UTC(2026, 2, 4, 10);
const hiding = new IdentityHiding('seed of the readers of pump strings');

interface ReadDocument {
  readonly xml: string;
  readonly record: DiagnosticsRecord;
}

function readDocuments(written: readonly string[]): readonly ReadDocument[] {
  return written.flatMap((xml) => {
    const record = acceptedRecord(xml);
    return record === undefined ? [] : [{ xml, record }];
  });
}

/** Undefined when a collector would reject it. */
function acceptedRecord(xml: string): DiagnosticsRecord | undefined {
  try {
    const message = readFeedMessage(Buffer.from(xml), defaultProfile);
    return message.kind === 'record' ? message.record : undefined;
  } catch (error) {
    if (error instanceof FeedSyntaxError) return undefined;
    throw error;
  }
}

/** What an aggregator does with a call before storing it. Undefined when no record can be read. */
function folded(documents: readonly ReadDocument[]): Fold | undefined {
  if (documents.length === 0) return undefined;
  const records = documents.map(({ xml, record }, at) =>
    feedRecord({ id: `r${at}`, receivedAt: RECEIVED, record, xml }),
  );
  const call = fold([], records);
  const incoming = new Map(
    records.map((record, at) => {
      const xml = documents[at]?.xml ?? '';
      return [record, { id: record.id, receivedAt: RECEIVED, storedAt: RECEIVED, record: record.record, xml }];
    }),
  );
  const stored = recordStorage(call, UNKNOWN_CALL, incoming);
  const row = callRow({ ...call, ...stored, history: NO_HISTORY, storedOn: undefined }, hiding);
  const rows = [...incoming].map(([record, published]) => recordRow(record, published, undefined));
  Array.from(columnChunks(textColumns(row), [row]));
  callDocuments({ ...call, ...stored });
  Array.from(columnChunks(textColumns(rows[0] ?? {}), rows));
  return call;
}

function textColumns(row: object): Record<string, string> {
  return Object.fromEntries(Object.keys(row).map((name) => [name, 'text']));
}

/** As an operator without `reveal` and a subscriber receive it. */
function shownHidden(call: Fold | undefined): void {
  if (call === undefined) return;
  const hidden = hiding.data(listedCall(deriveCall(call.records, defaultRules, NO_HISTORY).call));
  csvLine(hidden);
  JSON.stringify(hidden);
  for (const { record } of call.records) {
    const shown = hiding.data(record);
    writeRecord(shown, defaultProfile);
    for (const version of ['C', '1.0'] as const) {
      for (const converted of convertRecord(shown, version)) writeRecord(converted, defaultProfile);
    }
  }
}

/** Everything that a process does with the text of records. */
export const recordReaders: readonly FuzzedReader[] = [
  fuzzedReader('records: reading the feed', pumpedCall, readDocuments),
  fuzzedReader('records: fold and columns', (dice) => readDocuments(pumpedCall(dice)), folded),
  fuzzedReader(
    'records: hidden views, CSV, other versions',
    (dice) => folded(readDocuments(pumpedCall(dice))),
    shownHidden,
  ),
];
