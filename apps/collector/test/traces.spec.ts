import { TRACES_STREAM, TRACES_SUBJECT, type TraceBatch } from '@ringdown/contracts/traces';
import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { RunningCollector } from './running-collector.js';

const MESSAGE = {
  callId: 'c1',
  at: 1_760_000_000_000_000,
  source: { ip: '192.0.2.10', port: 5_060 },
  destination: { ip: '2001:db8::1', port: 5_060 },
  content: 'sip',
  point: 'p1',
  payload: Buffer.from('BYE sip:ben@example.test SIP/2.0\r\n\r\n').toString('base64'),
};
const BATCH = { v: 1, frontEnd: 'fe1', messages: [MESSAGE] };
const PATH = '/Ringdown/TraceMessages';

describe('a batch of messages of calls', () => {
  const started = new Started();
  let collector: RunningCollector;
  let bus: Bus;

  beforeAll(async () => {
    const { url } = started.add(await startNats());
    collector = started.add(await RunningCollector.start(url));
    bus = await Bus.connect({ url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await started.stopAll();
  });

  const post = (body: unknown, type?: string): Promise<Response> => collector.postJson(PATH, body, type);
  const stored = async (): Promise<number> => (await bus.jsm.streams.info(TRACES_STREAM)).state.messages;

  it('is on the bus before its 200, without unknown members', async () => {
    const before = Date.now();
    const source = { ...MESSAGE.source, user: 'anna' };
    const answer = await post({ ...BATCH, unknown: 'member', messages: [{ ...MESSAGE, source, user: 'anna' }] });
    expect([answer.status, await answer.json()]).toEqual([200, { stored: 1 }]);
    const message = await bus.jsm.streams.getMessage(TRACES_STREAM, { last_by_subj: TRACES_SUBJECT });
    const { receivedAt, ...batch } = message?.json<TraceBatch>() ?? { receivedAt: 0 };
    expect(batch).toEqual(BATCH);
    expect(receivedAt).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['not JSON', '{'],
    ['another version', { ...BATCH, v: 2 }],
    ['an empty front end', { ...BATCH, frontEnd: '' }],
    ['no list', { ...BATCH, messages: {} }],
    ['too many messages', { ...BATCH, messages: Array.from({ length: 1_001 }, () => MESSAGE) }],
    ['no message', { ...BATCH, messages: [null] }],
    ['a NUL in the Call-ID', withMessage({ callId: 'a\0b' })],
    ['a long Call-ID', withMessage({ callId: 'x'.repeat(513) })],
    ['a time after 2100', withMessage({ at: 5_000_000_000_000_000 })],
    ['a negative time', withMessage({ at: -1 })],
    ['a name as address', withMessage({ source: { ip: 'phone.example.test', port: 5_060 } })],
    ['a zone in the address', withMessage({ source: { ip: 'fe80::1%eth0', port: 5_060 } })],
    ['no port', withMessage({ destination: { ip: '192.0.2.1', port: 65_536 } })],
    ['other content', withMessage({ content: 'rtp' })],
    ['an empty message', withMessage({ payload: '' })],
    ['a message that is not base64', withMessage({ payload: 'BYE sip!' })],
    ['a message that is too long', withMessage({ payload: Buffer.alloc(65_004).toString('base64') })],
  ])('is rejected with %s', async (_what, body) => {
    const before = await stored();
    expect((await post(body)).status).toBe(400);
    expect(await stored()).toBe(before);
  });

  it('is not read as one with another type', async () => {
    const before = await stored();
    expect((await post(BATCH, 'text/xml')).status).toBe(400);
    expect(await stored()).toBe(before);
  });
});

function withMessage(change: object): object {
  return { ...BATCH, messages: [{ ...MESSAGE, ...change }] };
}
