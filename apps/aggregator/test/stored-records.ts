import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { parsedContent, unpackRecords } from '../src/store/records/packed-records.js';

/** One record of the database, packed or a row. */
export interface RecordInDatabase {
  readonly callKey: string;
  readonly id: string;
  readonly receivedAt: number;
  readonly xml: string;
  readonly content: DiagnosticsRecord;
  readonly isRow: boolean;
}

interface Packed {
  readonly call_key: string;
  readonly packed_records: Buffer;
}

interface Row {
  readonly call_key: string;
  readonly id: string;
  readonly received_ms: number;
  readonly xml: string;
  readonly content: DiagnosticsRecord;
}

/** All records of the calls that the database has; `query` asks it. */
export async function recordsInDatabase(
  query: (sql: string) => Promise<readonly unknown[]>,
  calls = 'true',
): Promise<readonly RecordInDatabase[]> {
  // oxlint-disable typescript/no-unsafe-type-assertion -- the columns of these queries
  const packed = (await query(
    `select call_key, packed_records from calls where packed_records is not null and ${calls}`,
  )) as readonly Packed[];
  const rows = (await query(
    `select call_key, id, (extract(epoch from received_at) * 1000)::float8 as received_ms, xml, content from records where ${calls}`,
  )) as readonly Row[];
  // oxlint-enable typescript/no-unsafe-type-assertion
  return [
    ...packed.flatMap((row) =>
      unpackRecords(row.packed_records).map((record) => {
        const { id, receivedAt, xml } = record;
        const content = parsedContent(record);
        return { callKey: row.call_key, id, receivedAt, xml: xml.toString(), content, isRow: false };
      }),
    ),
    ...rows.map(({ call_key: callKey, received_ms: receivedAt, ...row }) => ({
      callKey,
      receivedAt,
      ...row,
      isRow: true,
    })),
  ];
}

/** How many there are of each call, by its key. */
export async function recordsByCall(
  query: (sql: string) => Promise<readonly unknown[]>,
  calls?: string,
): Promise<ReadonlyMap<string, number>> {
  const byCall = Map.groupBy(await recordsInDatabase(query, calls), ({ callKey }) => callKey);
  return new Map([...byCall].map(([key, records]) => [key, records.length]));
}
