import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { RECORD_BATCH } from '@ringdown/xml-schemas/fields';
import { configurationRequest, RunningCollector, startRecord } from './running-collector.js';

const PATH = `/Ringdown/${RECORD_BATCH.pathEnd}`;

function record(callId: string, frontEnd = 'fe1.example.test'): string {
  return startRecord({ callId, frontEnd }).replaceAll('\n', '');
}

describe('a collector with batches of records', () => {
  let nats: TestNats;
  let collector: RunningCollector;

  beforeAll(async () => {
    nats = await startNats();
    collector = await RunningCollector.start(nats.url, { COLLECTOR_STORE_MS: '2000', COLLECTOR_MAX_FRONT_ENDS: '8' });
  });
  afterAll(async () => {
    await collector.stop();
    await nats.stop();
  });

  function post(records: readonly string[] | string | Uint8Array, headers = {}): Promise<Response> {
    const body = Array.isArray(records) ? records.join('\n') : records;
    return collector.post(String(body), { 'content-type': RECORD_BATCH.type, ...headers }, PATH);
  }

  /** The stored calls whose Call-ID starts with this, in order. */
  async function storedCalls(start: string): Promise<readonly string[]> {
    const calls = (await collector.stored()).map(({ record: { connection } }) => connection.callId);
    return calls.filter((callId) => callId.startsWith(start));
  }

  it('stores each record as if it had been posted alone', async () => {
    const records = ['batch-a', 'batch-b', 'batch-c'].map((callId) => record(callId, 'fe-batch'));
    const before = await collector.metric('ringdown_collector_records_total{kind="startOrUpdate"}');
    const response = await post(records);
    expect([response.status, await response.text()]).toEqual([
      200,
      '<Response><Count>3</Count><Stored>3</Stored></Response>',
    ]);
    const stored = (await collector.stored()).filter(({ xml }) => xml.includes('batch-'));
    expect(stored.map(({ xml }) => xml).toSorted()).toEqual(records);
    expect(await collector.metric('ringdown_collector_records_total{kind="startOrUpdate"}')).toBe(before + 3);
    expect(await collector.count(record('batch-d', 'fe-batch'))).toBe(4);
  });

  it('stores marked records of the past as received at their own times', async () => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const past = record('batch-past').replace(/<TimeStamp>[^<]*/, `<TimeStamp>${yesterday}`);
    expect(
      (await post([past, past.replace('batch-past', 'batch-past-2')], { 'Ringdown-Backfill': 'true' })).status,
    ).toBe(200);
    expect((await post([past.replace('batch-past', 'batch-past-3')])).status).toBe(200);
    const stored = (await collector.stored()).filter(({ xml }) => xml.includes('batch-past'));
    const times = stored.map(({ receivedAt, replayed }) => [receivedAt === Date.parse(yesterday), replayed]);
    expect(times).toEqual([
      [true, true],
      [true, true],
      [false, undefined],
    ]);
  });

  it('stores the records of a call in their order', async () => {
    const records = Array.from({ length: RECORD_BATCH.records }, (_, n) => record('batch-order', `fe${n % 3}`));
    expect((await post(records)).status).toBe(200);
    const stored = (await collector.stored()).filter(
      ({ record: { connection } }) => connection.callId === 'batch-order',
    );
    expect(stored.map(({ xml }) => xml)).toEqual(records);
  });

  it('rejects bad records by themselves, with position and reason, and keeps them for the operator', async () => {
    const bad = [
      'hello',
      configurationRequest(),
      record('one') + record('two'),
      record(' '),
      '',
      '<!DOCTYPE x><Diagnostics/>',
    ];
    const refused = await collector.metricSum(/^ringdown_collector_refused_total/);
    const response = await post([record('middle-1'), ...bad, record('middle-2')]);
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text).toMatch(/^<Response><Count>\d+<\/Count><Stored>2<\/Stored>/);
    const rejected = [...text.matchAll(/<Rejected Position="(\d+)" Status="(\d+)"><Code>([a-z-]+)<\/Code>/g)];
    expect(rejected.map(([, ...parts]) => parts.join(' '))).toEqual([
      '1 400 not-xml',
      '2 400 unknown-root',
      '3 400 not-xml',
      '4 400 missing-call-id',
      '5 400 not-xml',
      '6 400 doctype',
    ]);
    expect(await storedCalls('middle')).toHaveLength(2);
    expect(await collector.metricSum(/^ringdown_collector_refused_total/)).toBe(refused + bad.length);
    // They are stored without delaying the reply.
    const kept = await eventually('the rejected records', async () => {
      const rejected = (await collector.rejected()).filter(({ path }) => path === PATH);
      return rejected.length >= bad.length && rejected;
    });
    expect(kept.map(({ body }) => body).toSorted()).toEqual(bad.toSorted());
  });

  it('rejects one record that is not UTF-8, and stores the others', async () => {
    const body = Buffer.concat([
      Buffer.from(`${record('utf8-1')}\n`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(record('utf8-2')),
    ]);
    const response = await fetch(collector.base + PATH, {
      method: 'POST',
      headers: { 'content-type': RECORD_BATCH.type },
      body,
    });
    expect(await response.text()).toMatch(/<Stored>2<\/Stored><Rejected Position="1" Status="400"><Code>bad-encoding</);
    expect(await storedCalls('utf8')).toHaveLength(2);
  });

  it('rejects records of front ends beyond the limit with 403 by themselves', async () => {
    const records = Array.from({ length: 20 }, (_, n) => record(`many-${n}`, `many${n}`));
    const text = await (await post(records)).text();
    const statuses = [...text.matchAll(/Status="(\d+)"><Code>([a-z-]+)</g)].map(([, ...parts]) => parts.join(' '));
    expect(new Set(statuses)).toEqual(new Set(['403 too-many-front-ends']));
    expect(await storedCalls('many')).toHaveLength(20 - statuses.length);
  });

  it.each([
    ['nothing', '', 400, 'bad-request'],
    ['too many records', `${record('whole')}\n`.repeat(RECORD_BATCH.records + 1), 413, 'too-large'],
    ['lines without end', '\n'.repeat(399_999), 413, 'too-large'],
    ['more bytes than allowed', 'x'.repeat(400_001), 413, 'too-large'],
  ])('rejects a batch of %s as a whole and stores nothing of it', async (_what, body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(new RegExp(`^<Error><Code>${code}</Code><Reason>.+</Reason></Error>$`));
    expect(await storedCalls('whole')).toEqual([]);
  });

  it('reads the type as a batch only at the end of the path', async () => {
    const response = await collector.post(
      record('whole'),
      { 'content-type': RECORD_BATCH.type },
      '/Ringdown/RequestMessage',
    );
    expect(response.status).toBe(415);
    expect((await collector.post(record('single'), {}, PATH)).status).toBe(200);
    expect(await storedCalls('single')).toEqual(['single']);
  });

  it('replies 503 for each record that the bus does not store, and acknowledges none of them', async () => {
    await nats.kill();
    const response = await post([record('lost-1'), 'hello', record('lost-2')]);
    const text = await response.text();
    await nats.restart();
    expect(response.status).toBe(200);
    expect(text).toMatch(/^<Response><Stored>0<\/Stored>/);
    expect([...text.matchAll(/Position="(\d)" Status="(\d+)"/g)].map(([, ...parts]) => parts.join(' '))).toEqual([
      '0 503',
      '1 400',
      '2 503',
    ]);
    expect(await collector.metric('ringdown_collector_unavailable_total')).toBe(2);
  });
});
