import type { TracedMessage } from '@ringdown/contracts/traces';
import { createHash, randomBytes } from 'node:crypto';
import { TraceQueries } from '../src/traces/trace-queries.js';
import { TraceSegments } from '../src/traces/trace-segments.js';
import { TraceStore } from '../src/traces/trace-store.js';
import { StoreUnderTest } from './store-under-test.js';

const MEBIBYTE = 1_048_576;
const LARGE = 64 * MEBIBYTE;

describe('the segments of stored messages', () => {
  let under: StoreUnderTest;
  let segments: TraceSegments;
  let traces: TraceStore;
  let queries: TraceQueries;

  beforeEach(async () => {
    under = await StoreUnderTest.start();
    const { database } = under;
    [segments, traces, queries] = [new TraceSegments(database), new TraceStore(database), new TraceQueries(database)];
    expect(await segments.prepare()).toBe(true);
  });
  afterEach(() => under.stop());

  async function add(callId: string, count = 1, payloadOf = (): Buffer => Buffer.from('INVITE')): Promise<number> {
    const source = { ip: '192.0.2.1', port: 5060 };
    const messages = Array.from({ length: count }, (_, at): TracedMessage => {
      const payload = payloadOf().toString('base64');
      return { callId, at, source, destination: source, content: 'sip', point: '', payload };
    });
    return traces.add({ v: 1, frontEnd: 'fe1', receivedAt: Date.now(), messages });
  }

  async function stored(callId: string): Promise<number> {
    return (await queries.ofCall(callId, 'one'))?.messages.length ?? 0;
  }

  async function pass(days: number): Promise<void> {
    await under.database.write(async (transaction) => {
      for (const column of ['opened_at', 'closed_at'])
        await transaction.query(`update trace_segments set ${column} = ${column} - interval '1 day' * $1`, [days]);
    });
  }

  it('are closed after a day and deleted some days later, others stay', async () => {
    await add('old');
    await pass(1);
    expect((await segments.maintain({ days: 2, maxBytes: LARGE })).dropped).toBe(0);
    await add('new');
    await pass(2);
    expect((await segments.maintain({ days: 2, maxBytes: LARGE })).dropped).toBe(1);
    expect([await stored('old'), await stored('new')]).toEqual([0, 1]);
  });

  it('are deleted, the oldest first, when all together are too large', async () => {
    const retention = { days: 7, maxBytes: 4 * MEBIBYTE };
    for (let n = 0; n < 12; n++) {
      await add(`c${n}`, 10, () => randomBytes(60_000));
      const { bytes } = await segments.maintain(retention);
      expect(bytes).toBeLessThanOrEqual(retention.maxBytes);
    }
    expect(await stored('c0')).toBe(0);
    expect(await stored('c11')).toBe(10);
  });

  it('contain a message once, also when it arrives again after its segment was closed', async () => {
    expect([await add('c1'), await add('c1')]).toEqual([1, 0]);
    await pass(1);
    await segments.maintain({ days: 7, maxBytes: LARGE });
    expect([await add('c1'), await stored('c1')]).toEqual([1, 1]);
  });

  it('are prepared by several replicas at once', async () => {
    await Promise.all(Array.from({ length: 4 }, () => segments.prepare()));
    const { rows } = await under.database.read((transaction) =>
      transaction.query<{ count: string }>('select count(*) from trace_segments'),
    );
    expect(rows[0]?.count).toBe('1');
  });

  it('are written where there is a part for chunks, also while an older aggregator opens segments without one', async () => {
    await add('before');
    await under.database.write(async (transaction) => {
      await transaction.query('update trace_segments set closed_at = now()');
      await transaction.query('insert into trace_segments default values');
    });
    expect([await add('meanwhile'), await stored('meanwhile')]).toEqual([1, 1]);
    await segments.maintain({ days: 7, maxBytes: LARGE });
    await add('after');
    const { rows } = await under.database.read((transaction) =>
      transaction.query<{ segment: number }>('select segment from trace_chunks order by segment'),
    );
    expect(rows.map(({ segment }) => segment)).toEqual([1, 1, 2]);
  });

  it('lose their chunks when an older aggregator, which does not know of chunks, has deleted them', async () => {
    await add('old');
    await under.database.write(async (transaction) => {
      await transaction.query('drop table trace_messages_s1');
      await transaction.query('delete from trace_segments');
    });
    expect(await stored('old')).toBe(1);
    await segments.maintain({ days: 7, maxBytes: LARGE });
    await add('new');
    expect([await stored('old'), await stored('new')]).toEqual([0, 1]);
  });

  it('have rows of before, which are read with the chunks, each capture once', async () => {
    await add('c1', 2);
    await under.database.write((transaction) =>
      transaction.query(
        `insert into trace_messages (segment, call_key, digest, at, received_at, call_id, front_end, point, source, source_port,
           destination, destination_port, content, payload)
         select 1, 'c1', decode(digest, 'hex'), at, now(), 'c1', 'fe1', '', '192.0.2.1', 5060, '192.0.2.1', 5060, 'sip', payload
         from unnest($1::text[], $2::bigint[], $3::bytea[]) as given (digest, at, payload)`,
        [
          [digestOfFirst(), 'f0'],
          [0, 5],
          [Buffer.from('INVITE'), Buffer.from('BYE')],
        ],
      ),
    );
    const found = await queries.ofCall('c1', 'one');
    expect(found?.messages.map(({ payload }) => payload.toString())).toEqual(['INVITE', 'INVITE', 'BYE']);
    expect(found?.isTruncated).toBe(false);
  });
});

/** As version 0023 of the schema has it, of the first message of `add`: an oracle. */
function digestOfFirst(): string {
  const identity = [
    'fe1',
    '',
    0,
    '192.0.2.1',
    5060,
    '192.0.2.1',
    5060,
    'sip',
    Buffer.from('INVITE').toString('base64'),
  ];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}
