import * as fc from 'fast-check';
import { usedMemory } from '@ringdown/testing/used-memory';
import { AT, CALLEE, CALLER } from '../test/generated-capture.js';
import { CALL_CAPTURES } from '../test/generated-captures.js';
import { request } from '../test/sip-messages.js';
import { STREAM_CAPTURES } from '../test/stream-captures.js';
import { ethernet, ip, tcp, udp } from '../test/write-pcap.js';
import { dataChunk, sctp, UPGRADE_RESPONSE, webSocketFrame } from '../test/write-streams.js';
import * as tunnels from '../test/write-tunnels.js';
import { PacketsInFrames } from './packets-in-frames.js';

const RAW = 101;
const GENERATED = [...CALL_CAPTURES, ...STREAM_CAPTURES].filter(({ frames }) => frames.length > 0);
const CHUNK = 65_536;
const OPTIONS = request('OPTIONS');

function read(linkType: number, frames: Iterable<Buffer>): { messages: number; notRead: readonly string[] } {
  const packets = new PacketsInFrames();
  let messages = 0;
  for (const bytes of frames) messages += [...packets.add({ at: AT, linkType, bytes })].length;
  messages += [...packets.end()].length;
  return { messages, notRead: packets.notRead.map(({ text }) => text) };
}

function times<Item>(count: number, make: (n: number) => Item): Item[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

describe('bad input', () => {
  const generated = fc.constantFrom(...GENERATED);

  it('of changed bytes is read without an error, and makes no more messages than bytes', () => {
    const changes = fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(generated, changes, ({ linkType, frames }, mutations) => {
        const changed = frames.map(({ bytes }) => {
          const copy = Buffer.from(bytes);
          for (const [at, value] of mutations) copy[at % copy.length] = value;
          return copy;
        });
        expect(read(linkType, changed).messages).toBeLessThanOrEqual(frames.length * 4);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of lying lengths is read without an error', () => {
    const lies = fc.tuple(fc.nat(150), fc.constantFrom(0, 1, 3, 4, 7, 0x7f_ff, 0xff_fe, 0xff_ff));
    fc.assert(
      fc.property(generated, lies, ({ linkType, frames }, [at, lie]) => {
        const changed = frames.map(({ bytes }) => {
          const copy = Buffer.from(bytes);
          copy.writeUInt16BE(lie, Math.min(at, copy.length - 2));
          return copy;
        });
        expect(read(linkType, changed).messages).toBeLessThanOrEqual(frames.length * 4);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of truncated frames is read without an error', () => {
    for (const { linkType, frames } of GENERATED) {
      for (let length = 0; length < 160; length += 3) {
        const cut = frames.map(({ bytes }) => bytes.subarray(0, length));
        expect(read(linkType, cut).messages).toBeLessThanOrEqual(frames.length * 4);
      }
    }
  });

  it.each([
    ['GRE', (packet: Buffer) => tunnels.gre(packet)],
    ['IP in IP', (packet: Buffer) => tunnels.ipInIp(packet)],
    ['VXLAN', (packet: Buffer) => tunnels.vxlan(ethernet(packet))],
    ['GTP-U', (packet: Buffer) => tunnels.gtpU(packet, true)],
    ['ERSPAN', (packet: Buffer) => tunnels.erspan3(ethernet(packet))],
  ])('of 50 tunnels of %s within each other is counted, and of 5 is read', (_name, wrap) => {
    const nested = (depth: number): Buffer =>
      times(depth, () => wrap).reduce((inner, each) => each(inner), udp(CALLER, CALLEE, OPTIONS));
    expect(read(RAW, [nested(5)])).toEqual({ messages: 1, notRead: [] });
    expect(read(RAW, [nested(50)])).toEqual({
      messages: 0,
      notRead: ['1 packet in more than 32 headers was not read'],
    });
  });

  it('of many link types and protocols is counted by a bounded number of kinds', () => {
    const packets = new PacketsInFrames();
    for (let linkType = 1_000; linkType < 3_000; linkType++)
      expect([...packets.add({ at: AT, linkType, bytes: Buffer.alloc(60) })]).toEqual([]);
    expect(packets.notRead.length).toBe(101);
    expect(packets.notRead.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
  });

  it.each<[what: string, frame: (n: number) => Buffer]>([
    [
      'TCP connections with a gap',
      (n) => tcp(from(n >> 1), CALLEE, { sequence: 1 + (n % 2) * 5_000 }, OPTIONS.subarray(0, 100)),
    ],
    [
      'early segments of one connection',
      (n) => tcp(CALLER, CALLEE, { sequence: 10 + ((n * 7_919) % 50_000) }, OPTIONS),
    ],
    ['SCTP associations', (n) => sctp(from(n), CALLEE, dataChunk(OPTIONS, { sequence: n, isLast: false }))],
    [
      'parts of one SCTP message',
      (n) => sctp(CALLER, CALLEE, dataChunk(OPTIONS, { sequence: n, isFirst: n === 0, isLast: false })),
    ],
    ['first fragments', (n) => ip(from(n), CALLEE, 17, Buffer.alloc(64), { offset: 0, more: true })],
    [
      'fragments of one packet',
      (n) => ip(CALLER, CALLEE, 17, Buffer.alloc(8), { offset: (n % 8_000) * 8, more: true }),
    ],
    ['WebSockets', webSocketSegment],
    [
      'segments of one byte',
      (n) => tcp(CALLER, CALLEE, { sequence: n }, OPTIONS.subarray(n % OPTIONS.length, (n % OPTIONS.length) + 1)),
    ],
    [
      'starts of messages that do not end',
      (n) => tcp(CALLER, CALLEE, { sequence: n * 1_500 }, Buffer.from('A b SIP/2.0\nC:\n'.repeat(100))),
    ],
  ])('of 10,000 %s takes less than 10 seconds of processor time and 60 MB', (_what, frame) => {
    const packets = new PacketsInFrames();
    const before = usedMemory();
    // Of this thread: those of the garbage collector also work for the test files before this one.
    const began = process.threadCpuUsage();
    for (let n = 0; n < 10_000; n++) Array.from(packets.add({ at: AT + n, linkType: RAW, bytes: inChunk(frame(n)) }));
    const used = process.threadCpuUsage(began).user;
    expect(usedMemory() - before).toBeLessThan(60e6);
    Array.from(packets.end());
    expect(used).toBeLessThan(10e6);
  });
});

/** A frame as a part of what was read from a file at once: who keeps it keeps all. */
function inChunk(frame: Buffer): Buffer {
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  return chunk.subarray(0, frame.copy(chunk));
}

/** An upgrade, then the first part of a message and half a frame, of one connection after another. */
function webSocketSegment(n: number): Buffer {
  const parts = [
    UPGRADE_RESPONSE,
    webSocketFrame(OPTIONS, { isLast: false }),
    webSocketFrame(OPTIONS, { opcode: 0 }).subarray(0, 100),
  ];
  const sequence = 1 + parts.slice(0, n % 3).reduce((sum, { length }) => sum + length, 0);
  return tcp(from(Math.floor(n / 3)), CALLER, { sequence }, parts[n % 3]);
}

/** Another place for each number. */
function from(n: number): { ip: string; port: number } {
  return { ip: `10.${(n >> 16) & 0xff}.${(n >> 8) & 0xff}.${n & 0xff}`, port: 5_060 };
}
