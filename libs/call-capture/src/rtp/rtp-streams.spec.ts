import { streamPackets, writeRtp, type StreamPlan } from '../../test/write-rtp.js';
import type { PayloadFormat } from './payload-types.js';
import { RtpStreams } from './rtp-streams.js';
import type { RtpStream, StreamMeasures } from './rtp-stream.js';

const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const PLAN = { from: ALICE, to: BOB, packets: 200 };

/** All streams are claimed by the test, as by a call. */
function analyse(plan: StreamPlan, formats?: ReadonlyMap<number, PayloadFormat>): readonly StreamMeasures[] {
  const found: RtpStream[] = [];
  const streams = new RtpStreams((stream) => {
    if (formats) stream.describe(formats);
    found.push(stream);
    return true;
  });
  for (const { at, bytes } of streamPackets(plan, 1))
    streams.add({ source: ALICE, destination: BOB, payload: bytes }, at);
  return found.map((stream) => stream.measures(true));
}

describe('RtpStreams', () => {
  it('measures a stream', () => {
    const [measures] = analyse({ ...PLAN, loss: 0.1 });
    expect(measures).toMatchObject({
      expected: 200,
      codec: { name: 'PCMU/8000' },
      constantPackets: 0,
      firstAt: 1_760_000_000_000,
    });
    expect(measures?.lost).toBeGreaterThan(5);
    expect(measures?.worstLossRate).toBeCloseTo((measures?.lost ?? 0) / (measures?.expected ?? 1));
  });

  it('measures jitter of a dynamic payload type also if it is described after the packets', () => {
    const plan = { ...PLAN, payloadType: 96, clockRate: 48_000, jitter: 10 };
    const formats = new Map([[96, { name: 'opus/48000', clockRate: 48_000 }]]);
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const { at, bytes } of streamPackets(plan, 1))
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, at);
    expect(found[0]?.measures(false).jitterMs).toBeUndefined();
    found[0]?.describe(formats);
    expect(found[0]?.measures(true)).toMatchObject({
      jitterMs: analyse(plan, formats)[0]?.jitterMs,
      codec: { name: 'opus/48000' },
    });
  });

  it('keeps the jitter when the clock rate changes', () => {
    const [measures] = analyse({ ...PLAN, jitter: 4, change: { at: 100, payloadType: 6, clockRate: 16_000 } });
    expect(measures?.jitterMs).toBeGreaterThan(0.5);
    expect(measures?.jitterMaxMs).toBeLessThan(4);
  });

  it('counts packets that come too late to be played, but not a delay that stays', () => {
    expect(analyse({ ...PLAN, jitter: 300 })[0]?.latePackets).toBeGreaterThan(15);
    expect(analyse({ ...PLAN, jitter: 60 })[0]?.latePackets).toBe(0);
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const [n, { at, bytes }] of streamPackets(PLAN, 1).entries()) {
      // The clock of the sender is slow, and the way becomes longer.
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, at + n * 3 + (n > 100 ? 200 : 0));
    }
    expect(found[0]?.measures(true).latePackets).toBeLessThan(25);
  });

  it('counts a jump of the capture clock, and no jitter for it', () => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const [n, { at, bytes }] of streamPackets(PLAN, 1).entries()) {
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, n < 100 ? at : at - 3_600_000);
    }
    expect(found[0]?.measures(true)).toMatchObject({ clockJumps: 1, jitterMaxMs: 0, lost: 0 });
  });

  it('recognises digital silence of G.711 and comfort noise', () => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (let n = 0; n < 50; n++) {
      const payload = n < 40 ? Buffer.alloc(160, 0xd5) : Buffer.alloc(1, 40);
      const bytes = writeRtp({ sequence: n, timestamp: n * 160, payload, payloadType: n < 40 ? 8 : 13 });
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, n * 20);
    }
    expect(found[0]?.measures(true)).toMatchObject({
      constantPackets: 40,
      comfortNoisePackets: 10,
      codec: { name: 'PCMA/8000' },
    });
  });

  it('ignores packets that only look like RTP', () => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const sequence of [5, 5, 40_000, 900, 5]) {
      streams.add({ source: ALICE, destination: BOB, payload: writeRtp({ sequence, timestamp: 0 }) }, 0);
    }
    expect(found).toEqual([]);
    expect(streams.add({ source: ALICE, destination: BOB, payload: Buffer.alloc(30) }, 0)).toBe(false);
  });

  it('gives streams to the call that names their address later', () => {
    const streams = new RtpStreams(() => false);
    for (const { at, bytes } of streamPackets(PLAN, 1))
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, at);
    const claimed: RtpStream[] = [];
    streams.claim('192.0.2.20 5002', (stream) => claimed.push(stream) > 0);
    expect(claimed).toEqual([]);
    streams.claim('192.0.2.20 5000', (stream) => claimed.push(stream) > 0);
    streams.claim('192.0.2.10 4000', (stream) => claimed.push(stream) > 0);
    expect(claimed.map((stream) => stream.measures(true).received)).toEqual([200]);
  });

  it('forgets the oldest streams of a flood and keeps those of calls', () => {
    const own: RtpStream[] = [];
    const streams = new RtpStreams((stream) => stream.ssrc === 1 && own.push(stream) > 0, {
      unproven: 10,
      unclaimed: 20,
    });
    const add = (ssrc: number, sequence: number): boolean =>
      streams.add({ source: ALICE, destination: BOB, payload: writeRtp({ ssrc, sequence, timestamp: 0 }) }, sequence);
    add(1, 1);
    for (let ssrc = 1; ssrc < 1_000; ssrc++) {
      add(ssrc, 2);
      add(ssrc + 100_000, 2);
      add(ssrc, 3);
    }
    add(1, 4);
    expect(own.map((stream) => stream.measures(true).received)).toEqual([4]);
    expect(streams.size).toBe(1 + 9 + 20);
    // Streams of calls that were not claimed, and of a single packet.
    expect(streams.forgotten).toBe(998 - 20 + (999 - 9));
    for (const stream of own) streams.release(stream);
    expect(streams.size).toBe(29);
  });
});
