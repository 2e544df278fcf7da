import { Mean } from './mean.js';
import { ReceivedQuality } from './received-quality.js';
import type { BlockContext } from './received-streams.js';

function at(ms: number): BlockContext {
  return { at: ms, clockRate: 8_000, flows: true, startedAt: 0 };
}

describe('the quality of a medium at its receiver', () => {
  it('has no maximum below the mean, whichever reports they come from', () => {
    const quality = new ReceivedQuality();
    const roundTrip = new Mean();
    roundTrip.add(40);
    // RFC 3611 counts the whole call, RTCP the time since the report before.
    const voice = { lossRate: 0.12, jitterMs: 30, roundTripMs: 90 };
    quality.addBlock({ lossRate: 0.05, jitterTicks: 80, voice }, at(5_000));
    expect(quality.metrics('audio', roundTrip)).toMatchObject({
      PacketLossRate: { value: 0.12 },
      PacketLossRateMax: { value: 0.12 },
      JitterInterArrival: { value: 30 },
      JitterInterArrivalMax: { value: 30 },
      RoundTrip: { value: 90 },
      RoundTripMax: { value: 90 },
    });
  });

  it('has the maximum of the reports', () => {
    const quality = new ReceivedQuality();
    for (const [n, lossRate] of [0.1, 0.3].entries()) {
      quality.addBlock({ lossRate, jitterTicks: lossRate * 800 }, at(5_000 * (n + 1)));
    }
    expect(quality.metrics('audio', new Mean())).toMatchObject({
      PacketLossRate: { value: 0.2 },
      PacketLossRateMax: { value: 0.3 },
      JitterInterArrival: { value: 20 },
      JitterInterArrivalMax: { value: 30 },
    });
  });
});
