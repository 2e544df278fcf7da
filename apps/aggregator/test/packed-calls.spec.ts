import { jest } from '@jest/globals';
import type { PublishedRecord } from '@ringdown/contracts/records';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultRules } from '../src/calls/derive-call.js';
import { CallCourseQueries } from '../src/store/calls/call-course-queries.js';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { IdleCalls } from '../src/store/calls/idle-calls.js';
import { unpackRecords } from '../src/store/records/packed-records.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../src/store/records/stored-call.js';
import { recordRow, insertRecords } from '../src/store/calls/record-rows.js';
import { partitionPositions } from '../src/store/feed/positions.js';
import { FrontEndQueries } from '../src/store/feed/front-ends.js';
import { feedRecord } from '../src/calls/feed-record.js';
import { endXml, qualityXml, read, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import { recordsInDatabase } from './stored-records.js';
import { PARTITIONS, partitionOfCall } from '@ringdown/contracts/records';

// A database starts here, on machines that may have little time for it.
jest.setTimeout(180_000);

const RECEIVED = Date.parse('2026-03-02T10:00:01Z');

describe('calls whose records are packed', () => {
  let on: StoreUnderTest;
  let queries: CallQueries;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    queries = new CallQueries(on.database);
  });
  afterAll(() => on.stop());

  function record(xml: string, more: Partial<PublishedRecord> = {}): PublishedRecord {
    return { ...read(xml, RECEIVED), remoteAddress: '192.0.2.1', ...more };
  }

  /** As an older version has stored the call: a row for each record. */
  async function unpack(callKey: string): Promise<void> {
    await on.database.write(async (transaction) => {
      const { rows } = await transaction.query<StoredCallRow & { packed_records: Buffer; stored_on: string }>(
        `select ${STORED_CALL}, packed_records, stored_on::text from calls where call_key = $1`,
        [callKey],
      );
      const recordRows = rows.flatMap(({ packed_records: packed, stored_on: storedOn }) =>
        unpackRecords(packed).map(({ id, receivedAt, remoteAddress, certificateSubject, xml }) => {
          const sentBy = {
            remoteAddress: remoteAddress ?? undefined,
            certificateSubject: certificateSubject ?? undefined,
          };
          const published = { ...read(xml.toString(), receivedAt), id, ...sentBy };
          return recordRow(feedRecord(published), published, storedOn);
        }),
      );
      await insertRecords(transaction, recordRows);
      for (const row of rows) {
        await transaction.query(
          'update calls set call = $2, call_bytes = null, packed_records = null, record_rows = default where call_key = $1',
          [callKey, JSON.stringify(storedCall(row))],
        );
      }
    });
  }

  /** How many records are stored in each form. */
  async function forms(callKey: string): Promise<{ readonly packed: number; readonly rows: number }> {
    const records = await recordsInDatabase((sql) => on.rows(sql), `call_key = '${callKey}'`);
    return {
      packed: records.filter(({ isRow }) => !isRow).length,
      rows: records.filter(({ isRow }) => isRow).length,
    };
  }

  it('have no rows, and the documents as they were received', async () => {
    const [start, end] = [startXml({ callId: 'Packed', cseq: 1 }), endXml({ callId: 'Packed', cseq: 2 })];
    await on.commit(record(start));
    await on.commit(record(end, { certificateSubject: 'CN=fe1' }));
    expect(await forms('packed')).toEqual({ packed: 2, rows: 0 });
    const found = await queries.byId('Packed');
    expect(found?.records).toEqual([
      {
        id: expect.any(String),
        version: '1.0',
        kinds: ['startOrUpdate'],
        frontEnds: ['fe1.example.test'],
        cseq: 1,
        sentAt: '2026-03-02T10:00:00.000Z',
        receivedAt: '2026-03-02T10:00:01.000Z',
        remoteAddress: '192.0.2.1',
        certificateSubject: null,
        rawSdp: null,
        xml: start,
      },
      expect.objectContaining({ cseq: 2, certificateSubject: 'CN=fe1', xml: end }),
    ]);
    expect(found?.recordsLeftOut).toBe(0);
    const content = await queries.byId('Packed', 'content');
    expect(content?.records.map(({ xml, content: parsed }) => [xml, parsed?.connection.callId])).toEqual([
      ['', 'Packed'],
      ['', 'Packed'],
    ]);
  });

  it('have rows of an older version beside them, and are read as one', async () => {
    const callId = 'both';
    const of = (cseq: number, more?: Partial<PublishedRecord>): PublishedRecord =>
      record(startXml({ callId, cseq, frontEnd: 'fe-both', at: `2026-03-02T10:00:0${cseq}Z` }), more);
    await on.commit(of(1), of(3));
    await unpack(callId);
    expect(await forms(callId)).toEqual({ packed: 0, rows: 2 });
    expect((await queries.byId(callId))?.records.map(({ cseq }) => cseq)).toEqual([1, 3]);
    const added = await on.commit(of(2), of(3, { id: 'copy of a row' }));
    expect(added).toMatchObject({ added: 1, duplicates: 1 });
    const again = await on.commit(of(2, { id: 'copy of a packed one' }), of(1, { id: 'another copy' }));
    expect(again).toMatchObject({ added: 0, duplicates: 2 });
    await on.commit(record(endXml({ callId, cseq: 4, frontEnd: 'fe-both' })));
    expect(await forms(callId)).toEqual({ packed: 2, rows: 2 });
    const found = await queries.byId(callId);
    expect(found?.records.map(({ cseq }) => cseq)).toEqual([1, 2, 3, 4]);
    expect(found?.call).toMatchObject({ state: 'ended', version: 4 });
    const course = await new CallCourseQueries(on.database, defaultRules, 60_000).page(callId, 10);
    expect(course).toMatchObject({ items: [1, 2, 3, 4].map((cseq) => ({ cseq, remoteAddress: '192.0.2.1' })) });
    const feed = await new FrontEndQueries(on.database).health({ name: 'fe-both', hours: 1, gapSeconds: 60 });
    expect(feed?.newestCalls.kinds).toEqual([
      { kind: 'startOrUpdate', records: 3 },
      { kind: 'ended', records: 1 },
    ]);
  });

  it.each(['packed', 'rows'] as const)('use the time of a copy that was received earlier, of %s', async (form) => {
    const callId = `earlier-${form}`;
    const xml = startXml({ callId });
    await on.commit(record(xml, { id: 'first' }));
    if (form === 'rows') await unpack(callId);
    const copy = { ...read(xml, RECEIVED - 500), id: 'copy', remoteAddress: '192.0.2.9' };
    expect(await on.commit(copy)).toMatchObject({ added: 0, duplicates: 1 });
    expect((await queries.byId(callId))?.records).toMatchObject([
      { id: 'first', remoteAddress: '192.0.2.9', receivedAt: '2026-03-02T10:00:00.500Z' },
    ]);
  });

  it('get rows when they have no more room, in the order of their times', async () => {
    const callId = 'long';
    const reports = Array.from({ length: 120 }, (_, n) =>
      record(qualityXml({ callId, cseq: n, at: new Date(RECEIVED + n).toISOString() }, 0.01) + ' '.repeat(1_500)),
    );
    for (let at = 0; at < reports.length; at += 30) await on.commit(...reports.slice(at, at + 30));
    const { packed, rows } = await forms(callId);
    expect(packed).toBeGreaterThan(30);
    expect([packed > 0 && rows > 0, packed + rows]).toEqual([true, 120]);
    const found = await queries.byId(callId);
    expect(found?.records.map(({ cseq }) => cseq)).toEqual(reports.map((_, n) => n));
  });

  it('are sealed with their call, which is shown and listed, and amended by a late record', async () => {
    const callId = 'sealed';
    const isSealed = async (): Promise<unknown> =>
      (await on.rows(`select call is null and call_bytes > 1000 as sealed from calls where call_key = '${callId}'`))[0];
    await on.commit(record(startXml({ callId, cseq: 1 })));
    expect(await isSealed()).toEqual({ sealed: true });
    await on.commit(record(endXml({ callId, cseq: 2 })));
    expect(await isSealed()).toEqual({ sealed: true });
    expect(await forms(callId)).toEqual({ packed: 2, rows: 0 });
    const shown = await queries.byId(callId);
    expect(shown).toMatchObject({ call: { callId, state: 'ended', version: 2 }, records: [{ cseq: 1 }, { cseq: 2 }] });
    const { calls } = await queries.page({}, 'newest', 1_000);
    expect(calls.find((call) => call.callId === callId)).toEqual(shown?.call);
    await on.commit(record(qualityXml({ callId, cseq: 3 }, 0.3)));
    expect(await isSealed()).toEqual({ sealed: true });
    expect(await queries.byId(callId)).toMatchObject({
      call: { version: 3, verdict: 'bad' },
      records: [{ cseq: 1 }, { cseq: 2 }, { cseq: 3 }],
    });
  });

  it('keep their records when a time-out or an upgrade changes them', async () => {
    const callId = 'kept';
    await on.commit(record(startXml({ callId })));
    const before = await recordsInDatabase((sql) => on.rows(sql), `call_key = '${callId}'`);
    const partition = partitionOfCall(callId);
    const idle = new IdleCalls({ database: on.database, rules: defaultRules, limitMs: 60_000, logger: quietLogger() });
    const position = (await partitionPositions(on.database)).get(partition);
    if (position === undefined) throw new Error('the partition was not read');
    const batch = { callKeys: [callId], partition, partitions: PARTITIONS, position };
    await on.database.write((transaction) =>
      transaction.query('update calls set stale = true where call_key = $1', [callId]),
    );
    expect(await idle.rebuild(batch)).toMatchObject([{ callId, state: 'active' }]);
    expect(await idle.timeOut(batch, RECEIVED + 86_400_000 * 10)).toMatchObject([{ state: 'expired' }]);
    expect(await recordsInDatabase((sql) => on.rows(sql), `call_key = '${callId}'`)).toEqual(before);
  });
});
