import { RtpStream } from '../../rtp/rtp-stream.js';
import { writeRtp } from '../../../test/write-rtp.js';
import { readRtpHeader } from '../../rtp/rtp-header.js';
import { SeenNetworks } from './seen-networks.js';

function streamBetween(one: string, other: string, at: number): RtpStream {
  const bytes = writeRtp({ sequence: 1, timestamp: 1 });
  const header = readRtpHeader(bytes);
  if (header === undefined) throw new Error('not RTP');
  return new RtpStream(1, { ip: one, port: 4_000 }, { ip: other, port: 5_000 }, { header, bytes, at });
}

function networks(...streams: readonly RtpStream[]): SeenNetworks {
  const seen = new SeenNetworks();
  for (const stream of streams) seen.add(stream);
  return seen;
}

describe('the networks between which media were seen', () => {
  it.each([
    ['192.0.2.1', '198.51.100.9', true],
    ['198.51.100.9', '192.0.2.1', false],
    ['192.0.2.200', '198.51.100.7', true],
    ['192.0.2.1', '198.51.101.9', false],
    ['192.0.2.1', '192.0.2.2', false],
  ])('are of 24 bits: %s and %s', (one, other, expected) => {
    const seen = networks(streamBetween('192.0.2.10', '198.51.100.20', 1_000));
    expect(seen.sawAfter(999, one, other)).toBe(expected);
    expect(seen.sawAfter(1_000, one, other)).toBe(false);
  });

  it.each([
    ['2001:db8:1:2::77', '2001:db8::9', true],
    ['2001:db8:1:2:3:4:5:6', '2001:db8::', true],
    ['2001:db8:1:3::77', '2001:db8::9', false],
    ['2001:db8:1:2::77', '::1', false],
  ])('are of 64 bits in IPv6: %s and %s', (one, other, expected) => {
    expect(networks(streamBetween('2001:db8:1:2::1', '2001:db8::1', 1_000)).sawAfter(0, one, other)).toBe(expected);
  });

  it('are not known within one network, which has no directions', () => {
    const seen = networks(streamBetween('192.0.2.10', '192.0.2.20', 1_000));
    expect(seen.sawAfter(0, '192.0.2.20', '192.0.2.10')).toBe(false);
  });

  it('are known by any of their newest streams', () => {
    const long = streamBetween('192.0.2.10', '198.51.100.20', 9_000);
    const short = [1, 2, 3].map((n) => streamBetween('192.0.2.11', '198.51.100.21', n));
    expect(networks(long, ...short).sawAfter(8_000, '192.0.2.1', '198.51.100.1')).toBe(true);
  });

  it('are limited', () => {
    const first = streamBetween('10.0.0.1', '192.0.2.1', 1_000);
    const others = Array.from({ length: 1_000 }, (_, n) =>
      streamBetween(`10.${1 + (n >> 8)}.${n & 255}.1`, '192.0.2.1', 1_000),
    );
    expect(networks(first, ...others).sawAfter(0, '10.0.0.1', '192.0.2.1')).toBe(false);
    expect(networks(...others).sawAfter(0, '10.1.0.1', '192.0.2.1')).toBe(true);
  });
});
