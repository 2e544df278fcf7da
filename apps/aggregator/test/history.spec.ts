import type { PublishedRecord } from '@ringdown/contracts/records';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { FrontEndQueries, type FrontEnd } from '../src/store/feed/front-ends.js';
import type { History } from '../src/store/calls/history.js';
import { endXml, published, qualityXml, startXml } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

describe('the history of calls', () => {
  let on: StoreUnderTest;
  let history: History;
  let queries: CallQueries;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    history = on.history;
    queries = new CallQueries(on.database);
  });
  afterAll(() => on.stop());

  const frontEnds = async (): Promise<readonly FrontEnd[]> =>
    (await new FrontEndQueries(on.database).page(10)).frontEnds;

  const weeks = (): Promise<readonly unknown[]> =>
    on.rows(
      `select relname from pg_class join pg_inherits on oid = inhrelid where inhparent = 'calls'::regclass order by 1`,
    );

  it('has tables for this week and the next two, and one for all earlier weeks', async () => {
    expect(await weeks()).toHaveLength(4);
    await history.prepare();
    await Promise.all([history.prepare(), history.prepare()]);
    expect(await weeks()).toHaveLength(4);
    expect(
      await on.rows(`select count(*)::integer as tables from pg_inherits where inhparent = 'records'::regclass`),
    ).toEqual([{ tables: 4 }]);
  });

  it('keeps the records of a call in the week in which its first record was stored', async () => {
    await on.commit(published(startXml({ callId: 'stays' })));
    await on.age('stays', 30);
    await on.commit(published(endXml({ callId: 'STAYS' })));
    const days = `select (now() at time zone 'utc')::date - stored_on as days from calls where call_key = 'stays'`;
    expect(await on.rows(days)).toEqual([{ days: 30 }]);
    expect(await queries.byId('stays')).toMatchObject({ call: { state: 'ended', version: 2 }, records: [{}, {}] });
  });

  it('drops whole weeks when their last day is old enough', async () => {
    await on.commit(published(startXml({ callId: 'young' })), published(endXml({ callId: 'young' })));
    expect(await history.deleteOlderThan(8)).toBe(0);
    expect(await queries.byId('stays')).toBeDefined();
    await on.commit(published(startXml({ callId: 'talks' })));
    await on.age('talks', 100);
    // A call in progress keeps its week.
    expect(await history.deleteOlderThan(0)).toBe(0);
    expect(await queries.byId('talks')).toBeDefined();
    await on.commit(published(endXml({ callId: 'talks' })));
    expect(await history.deleteOlderThan(0)).toBe(1);
    expect(await queries.byId('talks')).toBeUndefined();
    expect(await queries.byId('stays')).toBeUndefined();
    expect(await queries.byId('young')).toMatchObject({ call: { version: 2 }, records: [{}, {}] });
    expect(await on.rows('select call_key from call_places')).toEqual([{ call_key: 'young' }]);
    expect(await weeks()).toHaveLength(3);
    expect(await history.deleteOlderThan(0)).toBe(0);
  });

  it('treats a late record of a dropped call as a new call', async () => {
    await on.database.write((transaction) =>
      transaction.query(`insert into call_places (call_key, stored_on) values ('gone', '2001-01-01')`),
    );
    await on.commit(published(qualityXml({ callId: 'gone' }, 0.5)));
    expect(await queries.byId('gone')).toMatchObject({ call: { partial: true, version: 1 }, records: [{}] });
    await on.commit(published(endXml({ callId: 'gone' })));
    expect(await queries.byId('gone')).toMatchObject({ call: { version: 2 } });
  });

  it('keeps the activity of front ends for a week', async () => {
    const days = (n: number): number => Date.now() - n * 86_400_000;
    const slots = `select count(*)::integer as slots from front_end_activity where name_key = 'week.example.test'`;
    const record = (n: number): PublishedRecord =>
      published(startXml({ callId: 'week', cseq: n, frontEnd: 'week.example.test' }), days(n));
    await on.commit(record(6), record(8), record(9));
    expect(await on.rows(slots)).toEqual([{ slots: 3 }]);
    await history.deleteOlderThan(90);
    expect(await on.rows(slots)).toEqual([{ slots: 1 }]);
  });

  it('drops front ends that have been silent for that long', async () => {
    const old = published(startXml({ callId: 'fe1', frontEnd: 'old.example.test' }), Date.now() - 10 * 86_400_000);
    await on.commit(old);
    await history.deleteOlderThan(11);
    expect((await frontEnds()).map(({ name }) => name)).toContain('old.example.test');
    await history.deleteOlderThan(9);
    expect((await frontEnds()).map(({ name }) => name)).toEqual(['fe1.example.test', 'week.example.test']);
  });

  it('compares a feed with the hour before and after this time of day, on each of six days', async () => {
    const [minute, day] = [60_000, 86_400_000];
    const now = Math.floor(Date.now() / (5 * minute)) * 5 * minute;
    const feed = 'hours.example.test';
    const at = [now, now - day + 66 * minute, now - 6 * day - 66 * minute, now - 7 * day];
    const compared = [1, 6].flatMap((days) => [-60, 0, 60].map((minutes) => now - days * day + minutes * minute));
    const times = [...at, ...compared, ...compared].sort((one, other) => one - other);
    await on.commit(...times.map((time, cseq) => published(startXml({ callId: 'hours', cseq, frontEnd: feed }), time)));
    const { frontEnds } = await new FrontEndQueries(on.database, () => now).page(10);
    // Twelve records in twelve hours.
    expect(frontEnds.find(({ name }) => name === feed)).toMatchObject({ usualIntervalSeconds: 3_600 });
  });
});
