import { TRACES_STREAM, type TracedMessage } from '@ringdown/contracts/traces';
import { TracePublisher } from '@ringdown/feed-bus';
import { plantedMessage } from '@ringdown/identity-hiding/test/planted-message.js';
import { eventually } from '@ringdown/testing/eventually';
import * as fc from 'fast-check';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';

const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
const CALL = 'planted';
const planted = fc.sample(plantedMessage, { numRuns: 200, seed: 17 });
const FORMS = ['messages', 'messages.txt', 'messages.pcap', 'messages/stream'];

describe('200 generated messages of a call', () => {
  let around: Surroundings;
  let aggregator: RunningAggregator;

  beforeAll(async () => {
    around = await Surroundings.start();
    aggregator = await around.startAggregator();
    const { streams } = around.bus.jsm;
    await eventually('the stream', () => streams.info(TRACES_STREAM).then(Boolean, () => false));
    const messages = planted.map(({ text }, index) => tracedMessage(text, index));
    const publisher = new TracePublisher({ bus: around.bus });
    await publisher.publish({ v: 1, frontEnd: 'fe1.example.test', receivedAt: Date.now(), messages });
    const stored = /ringdown_aggregator_trace_messages_total\{outcome="stored"\} (\d+)/;
    await eventually('all messages', async () => Number(await aggregator.metric(stored)) === planted.length);
  });
  afterAll(() => around.stop());

  function tracedMessage(text: string, index: number): TracedMessage {
    const [source, destination] = [
      { ip: '192.0.2.10', port: 5060 },
      { ip: '192.0.2.20', port: 5060 },
    ];
    const payload = Buffer.from(text).toString('base64');
    return { callId: CALL, at: AT + index, source, destination, content: 'sip', point: 'p1', payload };
  }

  /** The answer in lower case; of a stream, as much as belongs to the messages so far. */
  async function answer(form: string, token: string): Promise<string> {
    const stop = new AbortController();
    const response = await fetch(`${aggregator.origin}/api/calls/${CALL}/${form}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    let text = '';
    const isWhole = (): boolean => text.split('event: message').length > planted.length && text.endsWith('\n\n');
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString('latin1');
      if (form.endsWith('stream') && isWhole()) break;
    }
    stop.abort();
    return text.toLowerCase();
  }

  const secretsIn = (text: string): readonly string[] =>
    planted.map(({ secret }) => secret.toLowerCase()).filter((secret) => text.includes(secret));

  it.each(FORMS)('name users in %s only to operators with the role reveal', async (form) => {
    expect(secretsIn(await answer(form, around.operator))).toHaveLength(planted.length);
    expect(secretsIn(await answer(form, around.plainOperator))).toEqual([]);
  });
});
