import { levelOf } from './stream-level.js';

describe('levelOf', () => {
  it.each([
    ['audio', {}, 'good'],
    ['audio', { PacketLossRate: { value: 0.02 }, JitterInterArrival: { value: 15 } }, 'good'],
    ['audio', { PacketLossRate: { value: 0.021 } }, 'poor'],
    ['audio', { JitterInterArrival: { value: 16 }, RoundTrip: { value: 501 } }, 'bad'],
    ['video', { PacketLossRate: { value: 0.5 }, VideoPacketLossRate: { value: 0.06 } }, 'poor'],
    ['data', { PacketLossRate: { value: 0.5 } }, 'good'],
  ] as const)('of %s with %j is %s', (mediaType, metrics, level) => {
    expect(levelOf(mediaType, metrics)).toBe(level);
  });
});
