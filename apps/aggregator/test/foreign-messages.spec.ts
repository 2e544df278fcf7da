import { REJECTED_STREAM, REJECTED_SUBJECT } from '@ringdown/contracts/set-aside';
import { SIP_FAILURES_STREAM, SIP_FAILURES_SUBJECT } from '@ringdown/contracts/sip-failures';
import { TRACES_STREAM, TRACES_SUBJECT } from '@ringdown/contracts/traces';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { randomUUID } from 'node:crypto';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

interface Services {
  readonly partitions: readonly { readonly waitingMessages: number }[];
  readonly losses: { readonly missingRecords: number | null };
}

const rejected = { receivedAt: 1, remoteAddress: '192.0.2.1', path: '/', code: 'xml', reason: '', body: '<A/>' };
const traces = { v: 1, frontEnd: 'fe1', messages: [], receivedAt: 1 };
const failure = { method: 'REGISTER', status: '403', peer: '192.0.2.10', count: 1 };
const failures = { v: 1, id: randomUUID(), frontEnd: 'fe1', failures: [failure], receivedAt: 1 };

/** What the key of a collector alone can put into the streams that aggregators read. */
describe('a message of another account', () => {
  const started = new Started();
  let around: Surroundings;
  let aggregator: RunningAggregator;
  let collector: Bus;

  beforeAll(async () => {
    around = await Surroundings.start({ ownDatabase: true });
    aggregator = await around.startAggregator();
    await around.publish(published(startXml({ callId: 'first' })));
    await around.call(aggregator, 'first');
    collector = await Bus.connect({ url: around.nats.urlOf('collector'), name: 'test', logger: quietLogger() });
    started.add({ stop: () => collector.close() });
  });
  afterAll(async () => {
    await started.stopAll();
    await around.stop();
  });

  /** JSON has numbers that become Infinity, and texts that no database stores. */
  const foreign = (own: object, ...more: readonly object[]): readonly string[] => [
    '{',
    '',
    'null',
    '[]',
    '1',
    '{}',
    '\u0000',
    ...[own, ...more].map((each) => JSON.stringify(each)),
    ...[-1, 1e300].map((receivedAt) => JSON.stringify({ ...own, receivedAt })),
    JSON.stringify({ ...own, receivedAt: 7 }).replace('7', '1e999'),
  ];

  it.each([
    [REJECTED_STREAM, 'rejections', REJECTED_SUBJECT, foreign(rejected, { ...rejected, code: '\0' })],
    [TRACES_STREAM, 'aggregator', TRACES_SUBJECT, foreign(traces, { ...traces, frontEnd: '\0' })],
    [SIP_FAILURES_STREAM, 'aggregator', SIP_FAILURES_SUBJECT, foreign(failures, { ...failures, frontEnd: '\0' })],
  ])('in the stream %s is read once, whatever it is', async (stream, reader, subject, bodies) => {
    await eventually('its reader', () => around.bus.jsm.consumers.info(stream, reader).catch(() => undefined));
    for (const body of bodies) collector.connection.publish(subject, body);
    await collector.connection.flush();
    const { ack_floor, num_redelivered } = await eventually('all to be read', async () => {
      const { state } = await around.bus.jsm.streams.info(stream);
      const info = await around.bus.jsm.consumers.info(stream, reader);
      return state.last_seq === bodies.length && info.num_pending + info.num_ack_pending === 0 && info;
    });
    expect([ack_floor.stream_seq, num_redelivered]).toEqual([bodies.length, 0]);
  });

  it('in the stream of records holds up no partition, with wildcards and other places in its subject, too', async () => {
    const places = ['*.*.*.*.*.*.*.*', 'x.x.x.x.x.x.x.x', '7.6.5.4.3.2.1.0', '-.-.-.-.-.-.-.-', '0.1.2.3.4.5.6.7'];
    const subjects = ['*', '8', 'x', '-1', '0'].map((each) => `ringdown.records.${each}`);
    const parts = { collector: 'ab', of: [[0, 1, 2]] };
    const bodies = ['{', 'null', '{"v":1,"records":[null]}', JSON.stringify({ v: 1, parts, records: [] })];
    for (const subject of [...subjects, ...places.map((each) => `ringdown.bundles.${each}`)])
      for (const body of bodies) collector.connection.publish(subject, body);
    await collector.connection.flush();
    await around.publish(published(startXml({ callId: 'second' })));
    await around.call(aggregator, 'second');
    const waiting = await eventually('nothing to wait', async () => {
      const { body } = await aggregator.get<Services>('/api/services', around.operator);
      const all = body.partitions.map(({ waitingMessages }) => waitingMessages);
      return all.every((messages) => messages === 0) && body.losses.missingRecords === 0 && all;
    });
    expect(waiting).toHaveLength(8);
  });
});
