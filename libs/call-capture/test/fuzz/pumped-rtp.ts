import type { Dice } from '@ringdown/testing/fuzz/dice';
import { pumpString } from '@ringdown/testing/fuzz/pumps';
import { RtpStreams, type CapturedRtp } from '../../src/rtp/rtp-streams.js';
import { writeRtp } from '../write-rtp.js';

const LIMITS = { unproven: 50, unclaimed: 100 };

/** RTP with changing SSRCs, numbers and clocks, damaged headers, and single streams of many packets. */
export function pumpedRtp(dice: Dice): readonly (CapturedRtp & { readonly at: number })[] {
  const isFlood = dice.onceIn(10);
  const ssrcs = isFlood ? 10_000 : 1 + dice.below(4);
  const steps = dice.of([[1], [1, 1, 1, 2, 0], [1, 3_000, 40_000, 65_535], [2_999]]);
  let [sequence, timestamp, at] = [dice.below(65_536), dice.below(4_294_967_296), 0];
  return Array.from({ length: isFlood ? 3_000 : 1 + dice.below(300) }, () => {
    sequence += dice.of(steps);
    timestamp += dice.of([160, 160, 160, 0, -160, 4_000_000_000]);
    at += dice.of([20, 20, 20, 0, -50_000, 1e9]);
    const parts = {
      sequence,
      timestamp,
      ssrc: dice.below(ssrcs),
      payloadType: dice.of([0, 8, 13, 96, 97, dice.below(128)]),
    };
    const payload = writeRtp({
      ...parts,
      payload: Buffer.alloc(dice.below(200), dice.below(256)),
      marker: dice.onceIn(9),
    });
    if (dice.onceIn(5)) payload[dice.below(payload.length)] = dice.below(256);
    const address = (): { ip: string; port: number } => ({
      ip: '192.0.2.1',
      port: 1 + dice.below(isFlood ? 60_000 : 2),
    });
    return {
      source: address(),
      destination: address(),
      at,
      payload: payload.subarray(0, dice.onceIn(9) ? dice.below(40) : undefined),
    };
  });
}

/** Throws if more streams are kept than the limits allow, or a measurement is not a possible one. */
export function measureRtp(packets: readonly (CapturedRtp & { readonly at: number })[]): void {
  const streams = new RtpStreams((stream) => {
    stream.describe(new Map([[96, { name: 'opus/48000', clockRate: 48_000 }]]));
    return false;
  }, LIMITS);
  for (const { at, ...packet } of packets) streams.add(packet, at);
  if (streams.size > LIMITS.unproven + LIMITS.unclaimed) throw new Error(`${streams.size} streams are kept`);
  for (const port of [1, 2]) {
    streams.claim(`192.0.2.1 ${port}`, (stream) => {
      const { lost, expected, jitterMs = 0, bursts } = stream.measures(true);
      const isPossible = lost >= 0 && lost <= expected && jitterMs >= 0 && bursts.burstDensity <= 1;
      if (!isPossible) throw new Error(`impossible measurements: ${JSON.stringify(stream.measures(true))}`);
      return true;
    });
  }
}

/** Statistics of agents, with texts and nesting where numbers belong. */
export function pumpedRtpStatistics(dice: Dice): string {
  const value = (): unknown =>
    dice.onceIn(3) ? pumpString(dice, 1_000) : dice.of([dice.below(1_000), -1, 1e300, [], {}, null]);
  const names = [
    'TOTAL_PK',
    'PACKET_LOSS',
    'EXPECTED_PK',
    'MEAN_JITTER',
    'SSRC',
    'SRC_IP',
    'SRC_PORT',
    'RTP_SIP_CALL_ID',
    'MOS',
  ];
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, value()])));
  return dice.onceIn(4) ? `{${pumpString(dice, 60_000)}` : text;
}
