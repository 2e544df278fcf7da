import * as fc from 'fast-check';
import { writeRtp } from '../../test/write-rtp.js';
import { readRtpHeader } from './rtp-header.js';

const PLAIN = { sequence: 65_535, timestamp: 4_294_967_295, ssrc: 0xfe_dc_ba_98, payloadType: 96, marker: true };

describe('readRtpHeader', () => {
  it('reads the fixed header', () => {
    expect(readRtpHeader(writeRtp({ ...PLAIN, payload: Buffer.alloc(20) }))).toEqual({
      ...PLAIN,
      payloadStart: 12,
      payloadEnd: 32,
    });
  });

  it('finds the payload after sources and a header extension, and before padding', () => {
    const bytes = writeRtp({ ...PLAIN, sources: [1, 2], extension: [3, 4, 5], payload: Buffer.alloc(20), padding: 4 });
    expect(readRtpHeader(bytes)).toMatchObject({ payloadStart: 12 + 8 + 4 + 12, payloadEnd: 36 + 20 });
  });

  it('counts a truncated payload as far as it was captured', () => {
    const bytes = writeRtp({ ...PLAIN, payload: Buffer.alloc(20, 255), padding: 4 }).subarray(0, 20);
    expect(readRtpHeader(bytes)).toMatchObject({ payloadStart: 12, payloadEnd: 20 });
  });

  it.each([
    ['another version', Buffer.alloc(20, 0x40)],
    ['half a header', writeRtp(PLAIN).subarray(0, 11)],
    ['sources beyond the end', Buffer.from([0x8f, 0, ...Array.from({ length: 20 }, () => 0)])],
    ['an extension beyond the end', Buffer.from([0x90, 0, ...Array.from({ length: 10 }, () => 0), 0, 0, 255, 255])],
  ])('rejects %s', (_what, bytes) => {
    expect(readRtpHeader(bytes)).toBeUndefined();
  });

  it('never names a payload outside of the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (array) => {
        const bytes = Buffer.from(array);
        if (bytes.length > 0) bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x80;
        const header = readRtpHeader(bytes);
        if (!header) return;
        expect(header.payloadEnd).toBeLessThanOrEqual(bytes.length);
        expect(header.payloadStart).toBeLessThanOrEqual(header.payloadEnd);
      }),
    );
  });
});
