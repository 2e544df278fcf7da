import * as fc from 'fast-check';
import { writeHep } from '../../test/write-hep.js';
import { HepError } from './hep-error.js';
import { HepStream } from './hep-stream.js';

describe('HepStream', () => {
  it('returns the packets as sent, however the stream is split', () => {
    const payloads = fc.array(fc.string({ maxLength: 50 }), { maxLength: 8 });
    fc.assert(
      fc.property(payloads, fc.integer({ min: 1, max: 70 }), (texts, size) => {
        const sent = texts.map((payload) => writeHep({ payload }));
        const bytes = Buffer.concat(sent);
        const stream = new HepStream();
        const received: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          received.push(...stream.push(bytes.subarray(at, at + size)));
        }
        expect(received).toEqual(sent);
        expect(stream.isBetweenPackets).toBe(true);
      }),
    );
  });

  it('waits for the rest of an incomplete packet', () => {
    const stream = new HepStream();
    const packet = writeHep({ payload: 'x' });
    expect([...stream.push(packet.subarray(0, 3))]).toEqual([]);
    expect(stream.isBetweenPackets).toBe(false);
    expect([...stream.push(packet.subarray(3))]).toEqual([packet]);
  });

  it.each(['GET / HTTP/1.1', 'HEPX', 'HEP2\u0000\u0010'])('throws if no packet begins: %j', (text) => {
    const stream = new HepStream();
    expect(() => [...stream.push(Buffer.from(text))]).toThrow(HepError);
  });

  it('throws for an impossible packet length', () => {
    expect(() => [...new HepStream().push(Buffer.from('HEP3\u0000\u0005'))]).toThrow('a packet cannot have 5 bytes');
  });
});
