import { kindOfDatagram } from './datagram-kind.js';

describe('kindOfDatagram', () => {
  it.each([
    ['rtp', Buffer.from([0x80, 0xe0, ...Buffer.alloc(10)])],
    ['rtcp', Buffer.from([0x81, 201, 0, 1, 0, 0, 0, 0])],
    ['stun', Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42, ...Buffer.alloc(12)])],
    ['dtls', Buffer.from([22, 254, 253, 0])],
    ['other', Buffer.from('INVITE sip:x SIP/2.0')],
    ['other', Buffer.from([0x40, 0, 0, 0])],
    ['other', Buffer.from([0x80, 0])],
    ['other', Buffer.alloc(0)],
  ])('recognises %s', (kind, bytes) => {
    expect(kindOfDatagram(bytes)).toBe(kind);
  });
});
