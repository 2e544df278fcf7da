import { LossBursts } from './loss-bursts.js';

/** `.` is a received packet, `x` a lost one. */
function burstsOf(text: string): LossBursts {
  const bursts = new LossBursts();
  for (const char of text) {
    if (char === 'x') bursts.onLost(1);
    else bursts.onReceived();
  }
  return bursts;
}

const CALM = '.'.repeat(16);

describe('LossBursts', () => {
  it('counts a single loss to the gap', () => {
    expect(burstsOf(`${CALM}x${CALM}`).measures).toMatchObject({
      bursts: 0,
      gaps: 1,
      gapPackets: 33,
      gapDensity: 1 / 33,
    });
  });

  it('joins losses with less than 16 received packets between them to a burst', () => {
    const { measures } = burstsOf(`${CALM}x${'.'.repeat(15)}xx${CALM}`);
    expect(measures).toMatchObject({
      bursts: 1,
      burstPackets: 18,
      burstDensity: 3 / 18,
      gapPackets: 32,
      gapDensity: 0,
    });
  });

  it('ends a burst at 16 received packets', () => {
    expect(burstsOf(`xx${CALM}xx${CALM}x`).measures).toMatchObject({ bursts: 2, burstPackets: 4, gaps: 3 });
  });

  it('compares runs of losses with independent losses', () => {
    expect(burstsOf(`${CALM}xxxx${'.'.repeat(20)}`).measures.burstRatio).toBeCloseTo(4 * 0.9);
    expect(burstsOf(CALM).measures.burstRatio).toBe(1);
  });

  it('counts many losses at once like one after another', () => {
    const [one, other] = [burstsOf(`${CALM}xxxxx..x`), burstsOf(CALM)];
    other.onLost(5);
    other.onReceived();
    other.onReceived();
    other.onLost(1);
    expect(other.measures).toEqual(one.measures);
  });
});
