import * as fc from 'fast-check';
import { writeRtp } from '../../test/write-rtp.js';
import { mergeMeasures, type MergedMeasures } from './merged-measures.js';
import type { RtpStream } from './rtp-stream.js';
import { RtpStreams } from './rtp-streams.js';

const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };

/** What is measured of packets of one run of numbers; each with the SSRC at its place, or lost. */
function measure(ssrcs: readonly (number | 'lost')[], first = 65_000): MergedMeasures | undefined {
  const found: RtpStream[] = [];
  const streams = new RtpStreams((stream) => found.push(stream) > 0);
  for (const [n, ssrc] of ssrcs.entries()) {
    if (ssrc === 'lost') continue;
    const payload = writeRtp({ sequence: (first + n) & 0xff_ff, timestamp: 160 * n, ssrc });
    streams.add({ source: ALICE, destination: BOB, payload }, 1_760_000_000_000 + 20 * n);
  }
  return mergeMeasures(found.map((stream) => stream.measures(true)));
}

function run(ssrc: number, packets: number): number[] {
  return Array.from({ length: packets }, () => ssrc);
}

describe('a run of numbers with several SSRCs', () => {
  it('has all its packets, also the single ones', () => {
    const measures = measure([...run(1, 12), ...run(2, 736), ...run(3, 1), ...run(4, 1_812)]);
    expect(measures).toMatchObject({ received: 2_561, lost: 0, lossRate: 0, streams: 4 });
  });

  it('has the single packet with which it begins or ends', () => {
    expect(measure([...run(1, 1), ...run(2, 100)])).toMatchObject({ received: 101, lost: 0 });
    expect(measure([...run(1, 100), ...run(2, 1)])).toMatchObject({ received: 101, lost: 0 });
  });

  it('has no loss where a packet of another SSRC took a number of the stream', () => {
    expect(measure([...run(1, 50), 9, ...run(1, 50)])).toMatchObject({ received: 101, lost: 0, lossRate: 0 });
    expect(measure([...run(1, 50), 9, 'lost', ...run(1, 50)])).toMatchObject({ received: 101, lost: 1 });
  });

  it('does not have a packet that looks like RTP with another number', () => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (let n = 0; n < 100; n++) {
      const [sequence, ssrc] = n === 50 ? [40_000, 9] : [n, 1];
      streams.add(
        { source: ALICE, destination: BOB, payload: writeRtp({ sequence, timestamp: 160 * n, ssrc }) },
        20 * n,
      );
    }
    expect(found.map(({ ssrc }) => ssrc)).toEqual([1]);
  });

  it('counts each packet once and no number as lost that arrived, whatever the SSRCs', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(part, { minLength: 2, maxLength: 12 }), fc.nat(65_535), (parts, first) => {
        // An SSRC is not used again: a stream that goes on later is measured as one with a gap.
        const ssrcs = parts.flatMap(([, packets], n) => run(n + 1, packets));
        expect(measure(ssrcs, first)).toMatchObject({ received: ssrcs.length, lost: 0 });
      }),
    );
  });
});
