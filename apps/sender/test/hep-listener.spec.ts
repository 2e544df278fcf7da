import { writeHep } from '@ringdown/capture/test/write-hep.js';
import { eventually } from '@ringdown/testing/eventually';
import { Started } from '@ringdown/testing/started';
import { connect } from 'node:net';
import { HepListener } from '../src/input/hep-listener.js';

const PACKETS = 320;

describe('the listener for HEP', () => {
  const started = new Started();

  afterEach(() => started.stopAll());

  /** How often other work had its turn while one agent sent all these packets at once. */
  async function turnsTaken(postsSingly: boolean): Promise<number> {
    let [received, turns] = [0, 0];
    const countTurn = (): void => {
      turns++;
      if (received < PACKETS) setImmediate(countTurn);
    };
    const listener = await HepListener.start({
      host: '127.0.0.1',
      port: 0,
      postsSingly: () => postsSingly,
      onPacket: () => {
        if (received++ === 0) setImmediate(countTurn);
      },
      onRejected: (_problem, message) => {
        throw new Error(message);
      },
    });
    started.add(listener);
    const packet = writeHep({ payload: 'OPTIONS sip:a@example.test SIP/2.0' });
    connect(listener.port, '127.0.0.1').end(Buffer.concat(Array.from({ length: PACKETS }, () => packet)));
    await eventually('all packets', () => Promise.resolve(received === PACKETS));
    return turns;
  }

  it('reads few packets at a time while each record waits for a reply, and many at a time otherwise', async () => {
    const [single, otherwise] = [await turnsTaken(true), await turnsTaken(false)];
    expect(single).toBeGreaterThanOrEqual(PACKETS / 4 - 1);
    // TCP may deliver in parts.
    expect(otherwise).toBeLessThan(single / 2);
  });
});
