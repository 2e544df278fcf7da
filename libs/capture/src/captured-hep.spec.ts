import { request } from '../test/sip-messages.js';
import { addressBytes, u16, u32, writeHep } from '../test/write-hep.js';
import { ethernet, SYN, tcp, udp } from '../test/write-pcap.js';
import { PacketsInFrames } from './packets-in-frames.js';

const AGENT = { ip: '203.0.113.9', port: 40_000 };
const SERVER = { ip: '203.0.113.1', port: 9_060 };
const ALICE = { ip: '192.0.2.10', port: 5_062 };
const ALICE6 = { ip: '2001:db8::10', port: 5_062 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const PROXY6 = { ip: '2001:db8::1', port: 5_060 };
const AT = 1_760_000_000_000;
const INVITE = request('INVITE');
const BYE = request('BYE');

function read(frames: readonly Buffer[]): readonly string[] {
  const packets = new PacketsInFrames();
  const found = frames.flatMap((bytes) => [...packets.add({ at: AT, linkType: 1, bytes })]);
  const shown = [...found, ...packets.end()].map(
    ({ source, content, payload }) => `${content} ${payload.toString('latin1', 0, 3)} from ${source.ip}`,
  );
  return [...shown, ...packets.notRead.map(({ text }) => text)];
}

/** Version 1 or 2, as kernels lay out the structs of senders. */
function earlierHep(version: 1 | 2, six: boolean, payload: Buffer): Buffer {
  const [source, destination] = six ? [ALICE6, PROXY6] : [ALICE, PROXY];
  const time = version === 2 ? [u32(AT / 1_000).swap32(), u32(0), u32(0)] : [];
  return Buffer.concat([
    Buffer.from([version, six ? 40 : 16, six ? 10 : 2, 17]),
    u16(source.port),
    u16(destination.port),
    addressBytes(source.ip),
    addressBytes(destination.ip),
    ...time,
    payload,
  ]);
}

function hep(payload: Buffer, type = 1): Buffer {
  return writeHep({ source: ALICE, destination: PROXY, at: AT, type, payload });
}

/** The stream in segments that end at these places. */
function connection(stream: Buffer, ...cuts: readonly number[]): readonly Buffer[] {
  const ends = [...cuts, stream.length];
  const segments = ends.map((end, index) => {
    const from = index === 0 ? 0 : (ends[index - 1] ?? 0);
    return ethernet(tcp(AGENT, SERVER, { sequence: 101 + from }, stream.subarray(from, end)));
  });
  return [ethernet(tcp(AGENT, SERVER, { sequence: 100, flags: SYN })), ...segments];
}

describe('HEP in a capture is read', () => {
  it.each([
    ['version 1', 1, false, ALICE.ip],
    ['version 1 with IPv6', 1, true, ALICE6.ip],
    ['version 2', 2, false, ALICE.ip],
    ['version 2 with IPv6', 2, true, ALICE6.ip],
  ] as const)('in %s', (_what, version, six, ip) => {
    expect(read([ethernet(udp(AGENT, SERVER, earlierHep(version, six, INVITE)))])).toEqual([`sip INV from ${ip}`]);
  });

  const STREAM = Buffer.concat([hep(INVITE), hep(Buffer.from('{}'), 5), hep(BYE)]);
  const ALL = [`sip INV from ${ALICE.ip}`, `rtcp {} from ${ALICE.ip}`, `sip BYE from ${ALICE.ip}`];

  it.each([
    ['whole', connection(STREAM)],
    ['in segments that end in a header and in a payload', connection(STREAM, 20, 100, STREAM.length - 7)],
    ['with a segment that came late', [0, 1, 3, 2].map((at) => connection(STREAM, 100, 400)[at] ?? STREAM)],
  ])('in a TCP connection, %s', (_what, frames) => {
    expect(read(frames)).toEqual(ALL);
  });

  it('in a TCP connection whose beginning was not captured, from the next packet on', () => {
    const [, , ...later] = connection(STREAM, 100);
    expect(read(later)).toEqual(ALL.slice(1));
  });

  it('in a TCP connection after a gap, from the next packet on', () => {
    const middle = hep(INVITE).length;
    const frames = connection(STREAM, 100, middle + 20, STREAM.length - 3);
    const [syn, first, , third, fourth] = frames;
    expect(read([syn, first, third, fourth].filter((frame) => frame !== undefined))).toEqual([
      `sip BYE from ${ALICE.ip}`,
      '1 gap in connections with SIP: segments were not captured',
    ]);
  });
});

describe('HEP in a capture that is not read', () => {
  it('is counted by the type of its protocol', () => {
    const log = hep(Buffer.from('a line of a log'), 100);
    expect(read([log, log, hep(Buffer.from('<iq/>'), 2)].map((bytes) => ethernet(udp(AGENT, SERVER, bytes))))).toEqual([
      '2 HEP packets were not read: protocol type 100',
      '1 HEP packet was not read: protocol type 2',
    ]);
  });

  it('is none where only the fields of version 1 fit', () => {
    const stun = earlierHep(1, false, Buffer.from('neither SIP nor anything else'));
    expect(read([ethernet(udp(AGENT, SERVER, stun))])).toEqual([]);
  });
});

it('SIP in HEP without a protocol type is read as SIP', () => {
  expect(read([ethernet(udp(AGENT, SERVER, hep(INVITE, 0)))])).toEqual([`sip INV from ${ALICE.ip}`]);
});
