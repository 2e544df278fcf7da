import { llcSnap, radio, radiotap } from '../../test/write-links.js';
import { packetEtherType, udp } from '../../test/write-pcap.js';
import { u16 } from '../../test/write-hep.js';
import { PacketsInFrames } from '../packets-in-frames.js';

const [ALICE, PROXY] = [
  { ip: '192.0.2.10', port: 5_060 },
  { ip: '192.0.2.1', port: 5_070 },
];
const [ALICE6, PROXY6] = [
  { ip: '2001:db8::10', port: 5_060 },
  { ip: '2001:db8::1', port: 5_070 },
];
const SIP = Buffer.from('OPTIONS sip:a SIP/2.0\r\n\r\n');
const FOUR = udp(ALICE, PROXY, SIP);
const SIX = udp(ALICE6, PROXY6, SIP);
const TAG = Buffer.from('810000fc', 'hex');
const OUTER = Buffer.from('88a80001', 'hex');
const [ETHERNET, NONE] = [1, 65_534];
const MAC = Buffer.from('020000000003', 'hex');

interface Parts {
  readonly address?: Buffer;
  readonly device?: number;
  readonly protocol?: number;
  /** Bytes that libpcap inserts at offset 14. */
  readonly inside?: Buffer;
}

function address(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(8 - bytes.length)]);
}

function inserted(frame: Buffer, inside: Buffer): Buffer {
  return Buffer.concat([frame.subarray(0, 14), inside, frame.subarray(14)]);
}

function version1(packet: Buffer, parts: Parts = {}): Buffer {
  const { address: own = MAC, device = ETHERNET, protocol = packetEtherType(packet), inside = Buffer.alloc(0) } = parts;
  const head = [u16(0), u16(device), u16(own.length), address(own), u16(protocol)];
  return inserted(Buffer.concat([...head, packet]), inside);
}

function version2(packet: Buffer, parts: Parts = {}): Buffer {
  const { address: own = MAC, device = ETHERNET, protocol = packetEtherType(packet), inside = Buffer.alloc(0) } = parts;
  const head = [u16(protocol), u16(0), Buffer.alloc(4), u16(device), Buffer.from([4, own.length]), address(own)];
  return inserted(Buffer.concat([...head, packet]), inside);
}

/** With a tag where no version of the header has one. */
function moved(frame: Buffer): Buffer {
  return Buffer.concat([frame.subarray(0, 12), TAG, frame.subarray(12)]);
}

function read(linkType: number, bytes: Buffer): readonly string[] {
  const packets = new PacketsInFrames();
  const found = [...packets.add({ at: 1, linkType, bytes })];
  const shown = found.map(({ source, payload }) => `${source.ip} ${payload.equals(SIP) ? 'SIP' : 'other'}`);
  return [...shown, ...packets.notRead.map(({ text }) => text)];
}

describe('Linux cooked captures', () => {
  it.each<[string, number, Buffer, string]>([
    ['version 1 with a VLAN tag', 113, version1(FOUR, { inside: TAG }), ALICE.ip],
    ['version 1 with two tags', 113, version1(FOUR, { inside: Buffer.concat([OUTER, TAG]) }), ALICE.ip],
    ['version 2 with a tag in the address', 276, version2(FOUR, { inside: TAG }), ALICE.ip],
    ['version 2 with a tag in the address, of IPv6', 276, version2(SIX, { inside: TAG }), ALICE6.ip],
    [
      'version 2 with a tag in an address of no length',
      276,
      version2(FOUR, { inside: TAG, address: Buffer.alloc(0) }),
      ALICE.ip,
    ],
    [
      'version 2 with a tag in an address of eight bytes',
      276,
      version2(FOUR, { inside: TAG, address: Buffer.alloc(8, 7) }),
      ALICE.ip,
    ],
    [
      'version 2 with a tag in the address and another one after the header',
      276,
      version2(Buffer.concat([u16(5), u16(0x08_00), FOUR]), { inside: OUTER, protocol: 0x81_00 }),
      ALICE.ip,
    ],
    [
      'version 2 with an address that looks like a tag',
      276,
      version2(FOUR, { address: Buffer.from('020081000003', 'hex') }),
      ALICE.ip,
    ],
    [
      'version 2 of a device without addresses',
      276,
      version2(FOUR, { device: NONE, address: Buffer.alloc(0) }),
      ALICE.ip,
    ],
    ['version 1 with LLC', 113, version1(llcSnap(FOUR), { protocol: 4 }), ALICE.ip],
    ['version 1 of a wireless device', 113, version1(radio(FOUR), { device: 801, protocol: 25 }), ALICE.ip],
    [
      'version 2 of a wireless device with radiotap',
      276,
      version2(radiotap(SIX), { device: 803, protocol: 4 }),
      ALICE6.ip,
    ],
  ])('are read in %s', (_what, linkType, bytes, ip) => {
    expect(read(linkType, bytes)).toEqual([`${ip} SIP`]);
  });

  it.each([
    [113, version1(FOUR, { device: 770 }), '1 packet in Frame Relay was not read'],
    [276, version2(FOUR, { device: 802 }), '1 packet in IEEE 802.11 with Prism header was not read'],
    [113, moved(version1(FOUR)), '1 packet in protocol 0x00fc of Linux cooked was not read'],
    [
      276,
      version2(FOUR, { inside: Buffer.concat([OUTER, TAG]) }),
      '1 packet in IP with an unreadable header was not read',
    ],
    [276, version2(FOUR, { protocol: 0x12_34 }), '1 packet in EtherType 0x1234 was not read'],
  ])('of link type %s name what they do not read', (linkType, bytes, text) => {
    expect(read(linkType, bytes)).toEqual([text]);
  });

  it('that are cut anywhere are no error', () => {
    const whole = version2(FOUR, { inside: TAG });
    for (let length = 0; length < whole.length; length++) {
      expect(() => read(276, whole.subarray(0, length))).not.toThrow();
      expect(() => read(113, whole.subarray(0, length))).not.toThrow();
    }
  });
});
