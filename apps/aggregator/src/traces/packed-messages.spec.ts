import type { StoredMessage } from './call-message.js';
import { packMessages, unpackMessages } from './packed-messages.js';

function message(number: number, payload: Buffer): StoredMessage {
  return {
    callId: `Call-${number >> 2}@2001:db8::1`,
    at: 1_772_445_600_000_000 + number,
    frontEnd: 'fe1.exämple.test',
    point: number % 2 === 0 ? '' : 'p1',
    source: { ip: '192.0.2.10', port: 5060 },
    destination: { ip: '2001:db8::1', port: 65_535 },
    content: number % 3 === 0 ? 'rtcp' : 'sip',
    payload,
  };
}

const SIP = Buffer.from(`INVITE sip:ben@example.test SIP/2.0\r\n${'Via: SIP/2.0/UDP 192.0.2.10\r\n'.repeat(20)}\r\n`);

describe('packed messages of a call', () => {
  it('are read as they were written: any bytes, empty ones, and texts beyond ASCII', () => {
    const payloads = [SIP, Buffer.of(), Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), SIP];
    const messages = payloads.map((payload, number) => message(number, payload));
    expect(unpackMessages(packMessages(messages))).toEqual(messages);
    expect(unpackMessages(packMessages([]))).toEqual([]);
  });

  it('take a fraction of their payloads', () => {
    const messages = Array.from({ length: 7 }, (_, number) => message(number, SIP));
    expect(packMessages(messages).length).toBeLessThan(SIP.length);
  });

  it('are never others when a byte is damaged: mostly that is detected, and a bit of the frame that says nothing changes nothing', () => {
    const messages = [message(1, SIP)];
    const packed = packMessages(messages);
    let detected = 0;
    for (const [at, byte] of packed.entries()) {
      const damaged = Buffer.from(packed);
      damaged[at] = byte ^ 0b100;
      try {
        expect(unpackMessages(damaged)).toEqual(messages);
      } catch (error) {
        if (error instanceof Error && 'matcherResult' in error) throw error;
        detected++;
      }
    }
    expect(detected).toBeGreaterThan(packed.length - 3);
  });

  it('of an unknown form are not read', () => {
    expect(() => unpackMessages(Buffer.of(9, 1, 2))).toThrow('unknown form 9');
  });
});
