import { request, response, sdp } from '../test/sip-messages.js';
import { writeHep } from '../test/write-hep.js';
import * as written from '../test/write-pcap.js';
import type { CapturedPacket } from './packet/captured-packet.js';
import { PacketsInFrames } from './packets-in-frames.js';

const { udp, tcp, ethernet, cooked, SYN, FIN } = written;
const ALICE = { ip: '192.0.2.10', port: 5_062 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const ALICE6 = { ip: '2001:db8::10', port: 5_062 };
const PROXY6 = { ip: '2001:db8::1', port: 5_060 };
const AT = 1_760_000_000_123;
const INVITE = request('INVITE', { body: sdp('192.0.2.10', 4_000) });
const BUSY = response('486 Busy Here', 'INVITE');
const RAW = 101;

function packetsOf(packets: readonly Buffer[], linkType = RAW): CapturedPacket[] {
  const inFrames = new PacketsInFrames();
  return packets.flatMap((bytes) => [...inFrames.add({ at: AT, linkType, bytes })]);
}

function payloadTexts(packets: readonly Buffer[]): string[] {
  return packetsOf(packets).map(({ payload }) => payload.toString());
}

/** `type`: EtherType or length; the other numbers are of 16 bits if they do not fit into a byte. */
function etherFrame(type: number, ...payload: readonly number[]): Buffer {
  const bytes = payload.flatMap((each) => (each > 0xff ? [each >> 8, each & 0xff] : [each]));
  return Buffer.from([
    ...Array.from({ length: 12 }, () => 2),
    type >> 8,
    type & 0xff,
    ...bytes,
    ...Array.from({ length: 46 }, () => 0),
  ]);
}

describe('PacketsInFrames', () => {
  it.each([
    ['Ethernet', 1, ethernet(udp(ALICE, PROXY, INVITE))],
    ['Ethernet with tags', 1, ethernet(udp(ALICE, PROXY, INVITE), 0x88_a8, 0x81_00)],
    ['Linux cooked', 113, cooked(udp(ALICE, PROXY, INVITE))],
    ['Linux cooked, version 2', 276, cooked(udp(ALICE, PROXY, INVITE), 2)],
    ['raw IP', 101, udp(ALICE, PROXY, INVITE)],
    ['BSD loopback', 0, Buffer.concat([Buffer.from([2, 0, 0, 0]), udp(ALICE, PROXY, INVITE)])],
  ])('reads packets of %s', (_link, linkType, bytes) => {
    expect(packetsOf([bytes], linkType)).toEqual([
      { source: ALICE, destination: PROXY, capturedAt: AT, content: 'sip', payload: INVITE },
    ]);
  });

  it('reads IPv6', () => {
    expect(packetsOf([ethernet(udp(ALICE6, PROXY6, BUSY))], 1)).toMatchObject([
      { source: ALICE6, destination: PROXY6, payload: BUSY },
    ]);
  });

  it('returns RTCP, and ignores packets that are neither SIP nor RTCP', () => {
    const rtcp = Buffer.from([0x81, 201, 0, 1, 0, 0, 0, 7]);
    const others = ['RTP goes by here', '\x80\x00 RTP', '', 'GET / HTTP/1.1\r\n\r\n'].map((text) =>
      Buffer.from(text, 'latin1'),
    );
    const found = packetsOf([rtcp, ...others].map((payload) => udp(ALICE, PROXY, payload)));
    expect(found).toEqual([{ source: ALICE, destination: PROXY, capturedAt: AT, content: 'rtcp', payload: rtcp }]);
  });

  it('reads captured HEP', () => {
    const hep = writeHep({ source: ALICE, destination: PROXY, at: AT - 5, payload: INVITE });
    expect(packetsOf([udp(PROXY, PROXY, hep), udp(PROXY, PROXY, hep.subarray(0, 30))])).toMatchObject([
      { source: ALICE, capturedAt: AT - 5, payload: INVITE },
    ]);
  });

  it.each([
    ['IPv4', ALICE, PROXY],
    ['IPv6', ALICE6, PROXY6],
  ])('reassembles fragments of %s in any order', (_version, from, to) => {
    const headerLength = from === ALICE ? 20 : 40;
    const datagram = udp(from, to, INVITE).subarray(headerLength);
    const piece = (offset: number, end: number): Buffer =>
      written.ip(from, to, 17, datagram.subarray(offset, end), { offset, more: end < datagram.length });
    const pieces = [piece(160, datagram.length), piece(0, 80), piece(80, 160)];
    expect(payloadTexts(pieces)).toEqual([INVITE.toString()]);
    expect(payloadTexts(pieces.slice(1))).toEqual([]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a header', udp(ALICE, PROXY, INVITE).subarray(0, 12)],
    ['half a header of IPv6', udp(ALICE6, PROXY6, INVITE).subarray(0, 30)],
    ['an IP header alone', udp(ALICE, PROXY, INVITE).subarray(0, 20)],
    ['half a header of UDP', udp(ALICE, PROXY, INVITE).subarray(0, 25)],
    ['half a header of TCP', tcp(ALICE, PROXY, { sequence: 1 }).subarray(0, 30)],
    ['another protocol', written.ip(ALICE, PROXY, 1, INVITE)],
    ['a header that is longer than the packet', Buffer.concat([Buffer.from([0x4f]), Buffer.alloc(30)])],
    ['endless headers', written.ip(ALICE6, PROXY6, 0, Buffer.alloc(200))],
  ])('ignores %s', (_what, bytes) => {
    expect(packetsOf([bytes])).toEqual([]);
  });

  it.each([
    ['an unknown EtherType', 1, etherFrame(0x12_34), 'EtherType 0x1234'],
    ['an unknown EtherType within a VLAN', 1, etherFrame(0x81_00, 0, 1, 0x88_b5), 'EtherType 0x88b5'],
    ['an unknown EtherType in HDLC of Cisco', 104, Buffer.from([0x0f, 0, 0x12, 0x34, 1, 2, 3]), 'EtherType 0x1234'],
    ['OSPF', RAW, written.ip(ALICE, PROXY, 89, INVITE), 'IP protocol 89 (OSPF)'],
    ['an unknown protocol of IP', RAW, written.ip(ALICE6, PROXY6, 253, INVITE), 'IP protocol 253'],
  ])('counts packets of %s by its number', (_what, linkType, bytes, name) => {
    const inFrames = new PacketsInFrames();
    for (let n = 0; n < 2; n++) expect([...inFrames.add({ at: AT, linkType, bytes })]).toEqual([]);
    expect(inFrames.notRead).toEqual([{ count: 2, text: `2 packets in ${name} were not read` }]);
  });

  it.each([
    ['ARP', 1, etherFrame(0x08_06)],
    ['LLDP', 1, etherFrame(0x88_cc)],
    ['CDP in HDLC of Cisco', 104, Buffer.from([0x8f, 0, 0x20, 0, 1, 2, 3])],
    ['a spanning tree', 1, etherFrame(38, 0x42, 0x42, 3)],
    ['ICMP', RAW, written.ip(ALICE, PROXY, 1, INVITE)],
    ['ICMP of IPv6', RAW, written.ip(ALICE6, PROXY6, 58, INVITE)],
  ])('does not count %s, which carries no packets', (_what, linkType, bytes) => {
    const inFrames = new PacketsInFrames();
    expect([...inFrames.add({ at: AT, linkType, bytes })]).toEqual([]);
    expect(inFrames.notRead).toEqual([]);
  });

  it('names a bounded number of kinds', () => {
    const inFrames = new PacketsInFrames();
    for (let type = 0xa0_00; type < 0xa4_00; type++) {
      expect([...inFrames.add({ at: AT, linkType: 1, bytes: etherFrame(type) })]).toEqual([]);
    }
    const { length } = inFrames.notRead;
    expect(length).toBeLessThanOrEqual(101);
    expect(inFrames.notRead.reduce((sum, { count }) => sum + count, 0)).toBe(0x4_00);
  });

  it('keeps the captured part of a truncated packet', () => {
    const [found] = packetsOf([udp(ALICE, PROXY, INVITE).subarray(0, 200)]);
    expect(found?.payload).toEqual(INVITE.subarray(0, 172));
  });
});

describe('SIP over TCP', () => {
  const all = Buffer.concat([INVITE, Buffer.from('\r\n\r\n'), request('ACK'), request('BYE')]);
  const texts = [INVITE, request('ACK'), request('BYE')].map(String);

  /** Segments of this length, the first with a sequence number shortly before they wrap around. */
  function segments(bytes: Buffer, length: number, first = 0xff_ff_ff_f0): Buffer[] {
    const count = Math.ceil(bytes.length / length);
    return Array.from({ length: count }, (_, index) => {
      const at = index * length;
      return tcp(ALICE, PROXY, { sequence: (first + at) >>> 0 }, bytes.subarray(at, at + length));
    });
  }

  it.each([1, 10, 300, 5_000])('is reassembled from segments of %i bytes', (length) => {
    const begin = tcp(ALICE, PROXY, { sequence: 0xff_ff_ff_ef, flags: SYN });
    expect(payloadTexts([begin, ...segments(all, length)])).toEqual(texts);
    expect(payloadTexts(segments(all, length))).toEqual(texts);
  });

  it('is ordered, and read once', () => {
    const [first, ...others] = segments(all, 50);
    const begin = tcp(ALICE, PROXY, { sequence: 0xff_ff_ff_ef, flags: SYN });
    const disturbed = [begin, ...others.slice(0, 5).toReversed(), ...(first ? [first, first] : []), ...others];
    expect(payloadTexts(disturbed)).toEqual(texts);
    expect(payloadTexts([begin, ...segments(all, 70), ...segments(all, 90)])).toEqual(texts);
  });

  it('continues after segments that were not captured', () => {
    const many = Buffer.concat(Array.from({ length: 40 }, (_, n) => request('OPTIONS', { cseq: n })));
    const whole = segments(many, Math.ceil(many.length / 40), 1);
    const found = payloadTexts([...whole.slice(0, 2), ...whole.slice(3)]);
    expect(found.length).toBeGreaterThanOrEqual(35);
    expect(new Set(found).size).toBe(found.length);
  });

  it('starts again with each connection between the same ports', () => {
    const connection = (first: number): Buffer[] => [
      tcp(ALICE, PROXY, { sequence: first - 1, flags: SYN }),
      ...segments(INVITE, 100, first),
      tcp(ALICE, PROXY, { sequence: first + INVITE.length, flags: FIN }),
    ];
    expect(payloadTexts([...connection(1_000), ...connection(5)])).toEqual([INVITE, INVITE].map(String));
  });

  it.each([
    ['something else', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    [
      'a body that would be far too long',
      Buffer.from(request('BYE').toString().replace('Length: 0', 'Length: 99999999')),
    ],
    ['a head without end', Buffer.concat([Buffer.from('BYE sip:b SIP/2.0\r\n'), Buffer.alloc(40_000, 'x')])],
  ])('is found after %s', (_what, bytes) => {
    expect(payloadTexts([...segments(bytes, 1_000, 1), ...segments(INVITE, 1_000, 1 + bytes.length)])).toEqual([
      INVITE.toString(),
    ]);
  });
});
