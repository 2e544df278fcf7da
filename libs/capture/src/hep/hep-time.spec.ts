import * as fc from 'fast-check';
import { packet, chunk, addressBytes, u16, u32 } from '../../test/write-hep.js';
import { readHep } from './read-hep.js';

const NOW = Date.UTC(2026, 10, 27, 9);
const DAY = 86_400_000;

function little(value: number): Buffer {
  return Buffer.from(u32(value).toReversed());
}

/** A packet with these bytes as its time. */
function withTime(seconds: Buffer, microseconds: Buffer): Buffer {
  const home = [chunk(3, addressBytes('192.0.2.1')), chunk(4, addressBytes('192.0.2.2'))];
  const ports = [chunk(7, u16(1)), chunk(8, u16(2))];
  return packet([...home, ...ports, chunk(9, seconds), chunk(10, microseconds), chunk(15, Buffer.from('x'))]);
}

function hepCaptureTime(seconds: Buffer, microseconds: Buffer, receivedAt: number): number | undefined {
  return readHep(withTime(seconds, microseconds), { receivedAt }).capturedAt;
}

describe('the time of a HEP packet', () => {
  const atMs = fc.integer({ min: Date.UTC(2010, 0, 1) / 1_000, max: Date.UTC(2040, 0, 1) / 1_000 });

  it('is right in the order of either machine if it was received soon', () => {
    fc.assert(
      fc.property(atMs, fc.nat(999_999), fc.integer({ min: -DAY / 2, max: DAY / 2 }), (seconds, micros, lag) => {
        const at = seconds * 1_000 + micros / 1_000;
        // The other reading may be within the same day, too: one of 50,000 times.
        fc.pre(Math.abs(little(seconds).readUInt32BE() - seconds) > (2 * DAY) / 1_000);
        expect(hepCaptureTime(little(seconds), little(micros), at + lag)).toBeCloseTo(at, 2);
        expect(hepCaptureTime(u32(seconds), u32(micros), at + lag)).toBeCloseTo(at, 2);
      }),
    );
  });

  it('remains that of years ago for a capture that is played again', () => {
    const seconds = Date.UTC(2016, 2, 1) / 1_000;
    expect(hepCaptureTime(u32(seconds), u32(5_000), NOW)).toBe(seconds * 1_000 + 5);
  });

  it.each([2_050, 2_074, 1_985])('is not of the year %d', (year) => {
    expect(hepCaptureTime(u32(Date.UTC(year, 0, 1, 1, 2, 3) / 1_000), u32(0), NOW)).toBeUndefined();
  });

  it('stays as it is in a capture whose own clock was not set', () => {
    expect(hepCaptureTime(u32(NOW / 1_000), u32(0), 60_000)).toBe(NOW);
  });
});
