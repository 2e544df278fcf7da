import { jest } from '@jest/globals';
import { PARTITIONS } from '@ringdown/contracts/records';
import { storeBatch, type UnprocessableRecord } from '../src/feed/record-intake.js';
import { isDataError } from '../src/store/database/query-errors.js';
import { callIdIn, endXml, read, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';
import { recordsInDatabase } from './stored-records.js';

// A database starts here, on machines that may have little time for it.
jest.setTimeout(180_000);

/** More than twice as many as are folded and written at a time. */
const CALLS = 510;
const PARTITION = 3;

describe('a batch of more calls than are processed at a time', () => {
  let on: StoreUnderTest;
  const ids = Array.from({ length: CALLS }, (_, n) => callIdIn(PARTITION, `large-${n}-`));
  const started = ids.map((callId) => read(startXml({ callId })));
  const unstorable = { ...read(startXml({ callId: callIdIn(PARTITION, 'nul-') })), xml: 'a\0b' };
  /** Fails while the calls before it are being written and those after it are being looked up. */
  const withUnstorable = started.toSpliced(CALLS / 2, 0, unstorable);

  beforeAll(async () => {
    on = await StoreUnderTest.start();
  });
  afterAll(() => on.stop());

  const stored = async (): Promise<unknown> => ({
    records: (await recordsInDatabase((sql) => on.rows(sql))).length,
    ...Object(
      (
        await on.rows(`select (select count(*) from calls)::integer as calls, (select count(*) from call_places)::integer as places, (select coalesce(sum(records), 0) from front_ends)::integer as counted,
        (select count(*) from partition_positions)::integer as positions`)
      )[0],
    ),
  });

  it('stores nothing when one record cannot be stored, and rejects with the error of the database', async () => {
    const failure = await on.commit(...withUnstorable).catch((error: unknown) => error);
    expect(isDataError(failure)).toBe(true);
    expect(await stored()).toEqual({ calls: 0, records: 0, places: 0, counted: 0, positions: 0 });
  });

  it('is stored without that record', async () => {
    const position = { epoch: 'e', sequence: 1 };
    const batch = {
      partition: PARTITION,
      before: undefined,
      after: position,
      sent: [],
      backlog: 0,
      partitions: PARTITIONS,
    };
    const setAside: UnprocessableRecord[] = [];
    const committed = await storeBatch(
      { ...batch, records: withUnstorable },
      on.store,
      { now: Date.now(), isBusRight: true },
      (unusable) => {
        setAside.push(...unusable);
        return Promise.resolve();
      },
    );
    expect(committed).toMatchObject({ added: CALLS, duplicates: 0, refused: [] });
    expect(setAside).toMatchObject([{ record: unstorable, code: 'unstorable-record' }]);
    expect(await stored()).toEqual({ calls: CALLS, records: CALLS, places: CALLS, counted: CALLS, positions: 1 });
  });

  it('is folded into the stored calls, with copies counted as copies', async () => {
    const ended = ids.map((callId) => read(endXml({ callId })));
    const [before, after] = [1, 2].map((sequence) => ({ epoch: 'e', sequence }));
    if (before === undefined || after === undefined) throw new Error('two positions');
    const batch = {
      partition: PARTITION,
      before,
      after,
      sent: [],
      backlog: 0,
      partitions: PARTITIONS,
      records: [...ended, ...started],
    };
    const { added, duplicates, calls } = await on.store.commit(batch);
    expect({ added, duplicates, calls: calls.length }).toEqual({ added: CALLS, duplicates: CALLS, calls: CALLS });
    expect(calls.map(({ callId }) => callId).toSorted()).toEqual(ids.toSorted());
    expect(
      await on.rows(`select state, version, count(*)::integer as calls from calls group by 1, 2 order by 1`),
    ).toEqual([{ state: 'ended', version: 2, calls: CALLS }]);
  });
});
