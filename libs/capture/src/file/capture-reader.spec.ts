import * as fc from 'fast-check';
import { request, response, sdp } from '../../test/sip-messages.js';
import * as written from '../../test/write-pcap.js';
import { CaptureError } from './capture-error.js';
import { CaptureReader, isCapture } from './capture-reader.js';
import type { Frame } from './frame.js';
import { PacketsInFrames } from '../packets-in-frames.js';

const { udp } = written;
const ALICE = { ip: '192.0.2.10', port: 5_062 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const AT = 1_760_000_000_123;
const INVITE = request('INVITE', { body: sdp('192.0.2.10', 4_000) });
const BUSY = response('486 Busy Here', 'INVITE');
const RAW = 101;

/** The frames of a file that is read in pieces of this length, and the error if there was one. */
function framesOf(file: Buffer, pieceLength = file.length): { frames: Frame[]; problem?: string } {
  const [reader, frames] = [new CaptureReader(), [] as Frame[]];
  try {
    for (let at = 0; at < file.length; at += pieceLength) {
      for (const frame of reader.push(file.subarray(at, at + pieceLength))) frames.push(frame);
    }
    reader.end();
    return { frames };
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    return { frames, problem: error.message };
  }
}

describe('CaptureReader', () => {
  const frames = [
    { at: AT, bytes: udp(ALICE, PROXY, INVITE) },
    { at: AT + 250, bytes: udp(PROXY, ALICE, BUSY) },
  ];

  it.each([
    ['pcap', written.writePcap(RAW, frames)],
    ['pcap with nanoseconds in the other byte order', written.writeNanoPcap(RAW, frames)],
    ['pcapng', written.writePcapng(RAW, frames)],
  ])('reads %s, however the file is split', (_format, file) => {
    const expected = { frames: frames.map((frame) => ({ ...frame, linkType: RAW })) };
    expect(isCapture(file)).toBe(true);
    for (const length of [file.length, 1, 7, 100]) expect(framesOf(file, length)).toEqual(expected);
  });

  it.each(['', 'abc', '2026-01-31T12:00:00Z\thep\tx', '%PDF-1.7'])('does not recognise %j as a capture', (text) => {
    expect(isCapture(Buffer.from(text))).toBe(false);
  });

  it('reads several sections, interfaces and resolutions, and frames without a time', () => {
    const bytes = Buffer.from('frame');
    const simple = written.block(3, Buffer.concat([Buffer.from([0, 0, 0, 5]), bytes]));
    const file = Buffer.concat([
      written.writePcapng(1, [{ at: AT, bytes }]),
      written.SECTION,
      written.link(113),
      simple,
    ]);
    expect(framesOf(file)).toEqual({
      frames: [
        { at: AT, linkType: 1, bytes },
        { at: AT, linkType: 113, bytes },
      ],
    });
  });

  it.each([
    ['pcap', written.writePcap(RAW, frames)],
    ['pcapng', written.writePcapng(RAW, frames)],
  ])('reports a truncated %s file after the frames before', (_format, file) => {
    for (let length = 5; length < file.length; length++) {
      const { frames: found, problem } = framesOf(file.subarray(0, length));
      const isBetween = problem === undefined;
      expect(found.length).toBeLessThan(isBetween ? 2 : 3);
      expect(isBetween || problem === 'the file is truncated').toBe(true);
    }
  });

  it.each([
    [
      'a frame of a gigabyte',
      written.writePcap(1, []),
      Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 0, 0, 64]),
    ],
    ['a block that is shorter than its framing', written.SECTION, Buffer.from([0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8])],
    ['a block of a gigabyte', written.SECTION, Buffer.from([0, 0, 0, 1, 64, 0, 0, 0, 0, 0, 0, 0])],
    ['a section without a byte order', Buffer.alloc(0), written.block(0x0a_0d_0d_0a, Buffer.alloc(16))],
    ['a packet of an unknown interface', written.SECTION, written.block(6, Buffer.alloc(20))],
    ['a truncated packet', Buffer.concat([written.SECTION, written.link(1)]), written.block(6, Buffer.alloc(8))],
    [
      'a packet that is longer than its block',
      Buffer.concat([written.SECTION, written.link(1)]),
      written.block(6, Buffer.concat([Buffer.alloc(12), Buffer.from([0, 0, 0, 9, 0, 0, 0, 9, 1])])),
    ],
    [
      'a packet of the year 60000',
      Buffer.concat([written.SECTION, written.link(1)]),
      written.block(6, Buffer.concat([Buffer.alloc(4), Buffer.alloc(4, 255), Buffer.alloc(12)])),
    ],
    ['a truncated interface description', written.SECTION, written.block(1, Buffer.alloc(4))],
  ])('rejects %s', (_what, before, lie) => {
    const { frames: found, problem } = framesOf(Buffer.concat([before, lie]));
    expect([found, typeof problem]).toEqual([[], 'string']);
  });

  it('returns frames or throws a CaptureError for any contents', () => {
    const files = [written.writePcap(1, frames), written.writePcapng(1, frames)];
    const file = fc.constantFrom(...files);
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(file, changes, (valid, mutations) => {
        const bytes = Buffer.from(valid);
        for (const [at, value] of mutations) bytes[at] = value;
        const { frames: found } = framesOf(bytes, 64);
        const packets = new PacketsInFrames();
        const held = found.flatMap((frame) => [...packets.add(frame)]);
        expect(held.length).toBeLessThanOrEqual(found.length);
      }),
    );
  });
});
