import { u16, u32 } from '@ringdown/capture/test/write-hep.js';
import { ethernet, udp, type Place, type WrittenFrame } from '@ringdown/capture/test/write-pcap.js';
import { Dice } from '@ringdown/testing/fuzz/dice';

export interface RtpParts {
  readonly payloadType?: number;
  readonly marker?: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc?: number;
  readonly payload?: Buffer;
  readonly sources?: readonly number[];
  /** Words of a header extension. */
  readonly extension?: readonly number[];
  readonly padding?: number;
}

export function writeRtp(parts: RtpParts): Buffer {
  const {
    payloadType = 0,
    marker = false,
    sequence,
    timestamp,
    ssrc = 0x1234_5678,
    payload = Buffer.alloc(160, 1),
  } = parts;
  const { sources = [], extension, padding = 0 } = parts;
  const first = 0x80 | (padding > 0 ? 0x20 : 0) | (extension ? 0x10 : 0) | sources.length;
  const head = [Buffer.from([first, payloadType | (marker ? 0x80 : 0)]), u16(sequence & 0xff_ff), u32(timestamp >>> 0)];
  const tail = padding > 0 ? Buffer.from([...Array.from({ length: padding - 1 }, () => 0), padding]) : Buffer.alloc(0);
  const words = extension ? [u16(0xbe_de), u16(extension.length), ...extension.map(u32)] : [];
  return Buffer.concat([...head, u32(ssrc), ...sources.map(u32), ...words, payload, tail]);
}

/** How a sender sends and what the network does to it. Times in milliseconds, rates as shares. */
export interface StreamPlan {
  readonly packets: number;
  readonly from: Place;
  readonly to: Place;
  readonly ssrc?: number;
  readonly payloadType?: number;
  readonly clockRate?: number;
  readonly packetMs?: number;
  /** Packets with one time stamp, the last of which has the marker, as of video; sent 1 ms after one another. */
  readonly framePackets?: number;
  readonly payloadLength?: number;
  readonly firstSequence?: number;
  readonly firstTimestamp?: number;
  readonly startAt?: number;
  readonly loss?: number;
  /** Losses come in groups of this size. */
  readonly lossRun?: number;
  readonly jitter?: number;
  readonly reordered?: number;
  readonly duplicated?: number;
  /** After this many packets a packet of comfort noise and a second of silence. */
  readonly talkspurt?: number;
  /** From this packet on another payload type and clock rate. */
  readonly change?: { readonly at: number; readonly payloadType: number; readonly clockRate: number };
}

/** The captured frames of a stream, by a seed; in the order of their times. */
export function streamFrames(plan: StreamPlan, seed: number): WrittenFrame[] {
  const { from, to } = plan;
  return streamPackets(plan, seed).map(({ at, bytes }) => ({ at, bytes: ethernet(udp(from, to, bytes)) }));
}

const DEFAULTS = {
  ssrc: 0x1234_5678,
  payloadType: 0,
  clockRate: 8_000,
  packetMs: 20,
  payloadLength: 160,
  firstSequence: 1,
  firstTimestamp: 1_000,
  startAt: 1_760_000_000_000,
  loss: 0,
  lossRun: 1,
  jitter: 0,
  reordered: 0,
  duplicated: 0,
};

type FullPlan = StreamPlan & typeof DEFAULTS;

/** The RTP packets of a stream, by a seed; in the order of their times. */
export function streamPackets(given: StreamPlan, seed: number): WrittenFrame[] {
  const plan: FullPlan = { ...DEFAULTS, ...given };
  const dice = new Dice(seed);
  const fraction = (): number => dice.below(2 ** 32) / 2 ** 32;
  const frames: WrittenFrame[] = [];
  let stillLost = 0;
  for (const { at, bytes } of sentPackets(plan)) {
    if (stillLost === 0 && frames.length > 1 && fraction() < plan.loss / plan.lossRun) stillLost = plan.lossRun;
    if (stillLost > 0) {
      stillLost--;
      continue;
    }
    const isLate = frames.length > 1 && fraction() < plan.reordered;
    const arrival = round(at + fraction() * plan.jitter + (isLate ? 2.5 * plan.packetMs : 0));
    frames.push({ at: arrival, bytes });
    if (frames.length > 1 && fraction() < plan.duplicated) frames.push({ at: round(arrival + 0.05), bytes });
  }
  return frames.toSorted((a, b) => a.at - b.at);
}

/** To microseconds, as captures have them. */
function round(at: number): number {
  return Math.round(at * 1_000) / 1_000;
}

function* sentPackets(plan: FullPlan): Generator<WrittenFrame> {
  const { ssrc, talkspurt = Number.POSITIVE_INFINITY, change, framePackets } = plan;
  let { startAt: at, firstTimestamp: timestamp, payloadType, clockRate } = plan;
  let marker = true;
  for (let n = 0; n < plan.packets; n++) {
    if (n === change?.at) ({ payloadType, clockRate } = change);
    const isNoise = n % talkspurt === talkspurt - 1;
    const payload = Buffer.alloc(isNoise ? 1 : plan.payloadLength, n);
    payload[0] = (n + 1) & 255;
    const sequence = plan.firstSequence + n;
    const isFrameEnd = framePackets !== undefined && n % framePackets === framePackets - 1;
    if (framePackets !== undefined) marker = isFrameEnd;
    yield {
      at,
      bytes: writeRtp({ sequence, timestamp, marker, ssrc, payload, payloadType: isNoise ? 13 : payloadType }),
    };
    marker = isNoise;
    if (framePackets !== undefined && !isFrameEnd) {
      at += 1;
      continue;
    }
    const pause = isNoise ? 1_000 : plan.packetMs;
    at += pause;
    timestamp += (pause * clockRate) / 1_000;
  }
}
