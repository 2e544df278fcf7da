import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { at } from '../src/answer.js';
import { capturedCall } from '../src/captured-call.js';
import { sendersUnderTest } from '../src/environment.js';
import { Operator } from '../src/operator.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

/** Skipped if no senders run beside the system; the compose file has one for each front end. */
describe('a sender for each front end', () => {
  const web = new WebClient();
  let operator: Operator;

  beforeAll(async () => {
    operator = await Operator.signIn(web);
  });
  afterAll(() => web.close());

  const overUdp = async (port: number, packets: readonly Buffer[]): Promise<void> => {
    const socket = createSocket('udp4');
    for (const packet of packets) {
      await new Promise<void>((resolve, reject) =>
        socket.send(packet, port, '127.0.0.1', (error) => (error ? reject(error) : resolve())),
      );
    }
    socket.close();
  };
  const overTcp = async (port: number, packets: readonly Buffer[]): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    socket.end(Buffer.concat(packets));
    await once(socket, 'finish');
    socket.destroySoon();
  };

  it.each([
    ['UDP', overUdp],
    ['TCP', overTcp],
  ] as const)('makes calls of what its own front end captures and sends over %s', async (_transport, send) => {
    const senders = sendersUnderTest();
    expect(senders.length).toBeGreaterThan(1);
    const startsAt = Date.now() - 60_000;
    const calls = senders.map((sender) => ({ ...sender, callId: unique('captured-') }));
    for (const { port, callId } of calls) await send(port, capturedCall({ callId, startsAt, seconds: 30 }));
    for (const { frontEnd, callId } of calls) {
      const call = await operator.callThat(callId, 'has ended', (found) => at(found, 'state') === 'ended');
      expect(call).toMatchObject({ frontEnds: [frontEnd], partial: false, duration: { seconds: 30 } });
    }
  });

  it('continues after bytes that are not a capture', async () => {
    const [sender] = sendersUnderTest();
    if (sender === undefined) throw new Error('no sender');
    const callId = unique('captured-');
    await overUdp(sender.port, [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.from('HEP3\xff\xff', 'latin1')]);
    await overUdp(sender.port, capturedCall({ callId, startsAt: Date.now() - 60_000, seconds: 10 }));
    const call = await operator.callThat(callId, 'has ended', (found) => at(found, 'state') === 'ended');
    expect(call).toMatchObject({ frontEnds: [sender.frontEnd], duration: { seconds: 10 } });
  });
});
