import { TRACES_STREAM, type TracedMessage } from '@ringdown/contracts/traces';
import { TracePublisher } from '@ringdown/feed-bus';
import type { Role } from '@ringdown/token-validation';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';

const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
const CALL = 'long';
/** Together less than the most that an answer has, and more than the buffers of a connection hold. */
const [BATCHES, IN_BATCH, BYTES] = [30, 8, 60_000];
const FORMS = ['messages.pcap', 'messages.txt'];
const EVERYTHING: readonly Role[] = ['user', 'operator', 'reveal'];

describe('the messages of a call that a client is downloading', () => {
  const { logger, lines } = loggedLines();
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator({}, logger);
    const { streams } = around.bus.jsm;
    await eventually('the stream', () => streams.info(TRACES_STREAM).then(Boolean, () => false));
    const publisher = new TracePublisher({ bus: around.bus });
    for (let batch = 0; batch < BATCHES; batch++) {
      const messages = Array.from({ length: IN_BATCH }, (_, n) => tracedMessage(batch * IN_BATCH + n));
      await publisher.publish({ v: 1, frontEnd: 'fe1.example.test', receivedAt: Date.now(), messages });
    }
    const stored = /ringdown_aggregator_trace_messages_total\{outcome="stored"\} (\d+)/;
    await eventually(
      'all messages',
      async () => Number(await aggregator.metric(stored)) === BATCHES * IN_BATCH,
      60_000,
    );
  }, 120_000);
  afterAll(() => around.stop());

  function tracedMessage(index: number): TracedMessage {
    const [source, destination] = [
      { ip: '192.0.2.10', port: 5060 },
      { ip: '192.0.2.20', port: 5060 },
    ];
    const head = `INFO sip:bob@example.test SIP/2.0\r\nCall-ID: ${CALL}\r\nCSeq: ${index} INFO\r\n\r\n`;
    const payload = Buffer.from(head.padEnd(BYTES, 'x')).toString('base64');
    return { callId: CALL, at: AT + index, source, destination, content: 'sip', point: 'p1', payload };
  }

  /** An answer of which nothing is read yet. */
  async function begun(form: string, token: string): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${token}` };
    const request = get(`${aggregator.origin}/api/calls/${CALL}/${form}`, { headers, agent: false });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event of a client request
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    request.on('error', () => undefined);
    return response.on('error', () => undefined);
  }

  async function read(response: IncomingMessage): Promise<{ bytes: number; isWhole: boolean }> {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => (bytes += chunk.length));
    if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
    return { bytes, isWhole: response.complete };
  }

  it.each(FORMS)('are whole in %s while its owner may have them', async (form) => {
    around.allow(`stays-${form}`, EVERYTHING);
    const response = await begun(form, `stays-${form}`);
    const { bytes, isWhole } = await read(response);
    expect([isWhole, bytes]).toEqual([true, Number(response.headers['content-length'])]);
    expect(bytes).toBeGreaterThan(BATCHES * IN_BATCH * BYTES);
  });

  const losses: readonly (readonly [string, (token: string) => Promise<void>])[] = [
    ['the client signs out', (token) => around.publishRevoked(token)],
    ['its owner loses the role reveal', (token) => Promise.resolve(around.allow(token, ['user', 'operator']))],
    ['its owner loses the role operator', (token) => Promise.resolve(around.allow(token, ['user', 'reveal']))],
  ];
  it.each(losses.flatMap(([why, lose]) => FORMS.map((form) => [form, why, lose] as const)))(
    'are cut off in %s when %s',
    async (form, why, lose) => {
      const token = `${form}-${why}`.replaceAll(/\W/g, '-');
      around.allow(token, EVERYTHING);
      const response = await begun(form, token);
      const ended = (): number => lines.filter(({ msg }) => msg.startsWith('an answer was ended')).length;
      const before = ended();
      await lose(token);
      await eventually('the end of the answer', () => ended() > before, 5_000);
      const { bytes, isWhole } = await read(response);
      expect(isWhole).toBe(false);
      expect(bytes).toBeLessThan(BATCHES * IN_BATCH * BYTES);
    },
  );
});
