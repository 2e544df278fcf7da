import { PacketsInFrames, type Frame } from '@ringdown/capture';
import { AT } from '@ringdown/capture/test/generated-capture.js';
import { WRAPPINGS } from '@ringdown/capture/test/generated-captures.js';
import { udp } from '@ringdown/capture/test/write-pcap.js';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage, writeRecord } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { PlayedFeed } from '../../src/feed/played-feed.js';
import { CALL_SCRIPTS } from '../differential/call-scripts.js';
import { ScriptedCall, type CallPacket } from '../differential/scripted-call.js';
import { writeRtp } from '../write-rtp.js';
import { inTunnels } from './pumped-tunnels.js';

const SCRIPTS = Object.values(CALL_SCRIPTS);
const HOUR_MS = 3_600_000;
const LIES = [0, 1, 3, 4, 7, 0x7f_ff, 0xff_fe, 0xff_ff];
const SMALLEST_RTP = 12;

/** The frames of a call as it may go, damaged in one or several ways. */
export function damagedCall(dice: Dice): readonly Frame[] {
  const { linkType, wrap, version } = dice.of(WRAPPINGS);
  const call = new ScriptedCall(dice.below(50), AT, version);
  dice.of(SCRIPTS)(call);
  let packets = call.packets.toSorted((a, b) => a.at - b.at);
  if (dice.onceIn(4)) packets = withFlood(dice, packets);
  if (dice.onceIn(4)) packets = packets.map((packet) => withOtherSsrc(dice, packet));
  if (dice.onceIn(4)) packets = withClockJumps(dice, packets);
  if (dice.onceIn(4)) packets = withOtherOrder(dice, packets);
  const isTunnelled = dice.onceIn(8);
  const rate = dice.of([0, 3, 30, 300]);
  return packets.map(({ at, from, to, bytes }) => {
    const packet = udp(from, to, bytes);
    const frame = wrap(isTunnelled ? inTunnels(dice, packet) : packet);
    return { at, linkType, bytes: rate > 0 && dice.onceIn(rate) ? damaged(dice, frame) : frame };
  });
}

/** Throws if a collector would not accept a record, or a packet is neither used nor counted. */
export function playDamagedCall(frames: readonly Frame[]): void {
  const records: DiagnosticsRecord[] = [];
  const feed = new PlayedFeed({ frontEnd: 'fe', version: 'D', onRecord: (record) => records.push(record) });
  const reader = new PacketsInFrames();
  let [packets, at] = [0, 0];
  const play = (found: ReturnType<PacketsInFrames['add']>): void => {
    for (const packet of found) {
      feed.play(packet, at);
      packets++;
    }
  };
  for (const frame of frames) {
    at = frame.at;
    play(reader.add(frame));
  }
  play(reader.end());
  feed.finish();
  for (const record of records) readFeedMessage(Buffer.from(writeRecord(record, defaultProfile)), defaultProfile);
  const { uncounted, unplaced: _unplaced, ...counts } = feed.counts;
  const counted = [...Object.values(counts), ...Object.values(uncounted)].reduce((sum, count) => sum + count, 0);
  if (counted < packets) throw new Error(`${packets} packets, of which ${counted} are counted`);
}

/** Streams of RTP that belong to no call, among the packets. */
function withFlood(dice: Dice, packets: readonly CallPacket[]): CallPacket[] {
  return packets.flatMap((packet) => {
    const place = (): CallPacket['from'] => ({ ...packet.from, port: 30_000 + dice.below(30_000) });
    const bytes = writeRtp({ sequence: dice.below(65_536), timestamp: 0, ssrc: dice.below(4_294_967_295) });
    const unknown = { at: packet.at, from: place(), to: place(), bytes };
    const next = writeRtp({ sequence: bytes.readUInt16BE(2) + 1, timestamp: 160, ssrc: bytes.readUInt32BE(8) });
    return [packet, unknown, { ...unknown, bytes: next }];
  });
}

function withOtherSsrc(dice: Dice, packet: CallPacket): CallPacket {
  const [first = 0, second = 0] = packet.bytes;
  const isRtp = first >> 6 === 2 && (second < 192 || second > 223) && packet.bytes.length >= SMALLEST_RTP;
  if (!isRtp || dice.onceIn(2)) return packet;
  const bytes = Buffer.from(packet.bytes);
  bytes.writeUInt32BE(dice.below(dice.of([3, 1_000, 4_294_967_295])), 8);
  return { ...packet, bytes };
}

/** The clock of the capture is set, once or several times. */
function withClockJumps(dice: Dice, packets: readonly CallPacket[]): CallPacket[] {
  let offset = 0;
  return packets.map((packet) => {
    if (dice.onceIn(100)) offset = dice.of([-AT, -24 * HOUR_MS, -HOUR_MS, -4_000, 0, 4_000, HOUR_MS, 24 * HOUR_MS, AT]);
    return { ...packet, at: packet.at + offset };
  });
}

/** Some packets are lost, some are there twice, some come much later. */
function withOtherOrder(dice: Dice, packets: readonly CallPacket[]): CallPacket[] {
  const moved = packets.flatMap((packet, n) => {
    const place = dice.onceIn(20) ? dice.below(packets.length) : n;
    const count = dice.onceIn(20) ? dice.below(3) : 1;
    return Array.from({ length: count }, () => ({ packet, place }));
  });
  return moved.toSorted((a, b) => a.place - b.place).map(({ packet }) => packet);
}

/** Other bytes, a length that lies, or only the beginning. */
function damaged(dice: Dice, frame: Buffer): Buffer {
  if (frame.length < 2) return frame;
  const bytes = Buffer.from(frame);
  const kind = dice.below(3);
  if (kind === 0) return bytes.subarray(0, dice.below(bytes.length));
  if (kind === 1) bytes.writeUInt16BE(dice.of(LIES), dice.below(Math.min(150, bytes.length - 1)));
  else for (let n = dice.below(12); n >= 0; n--) bytes[dice.below(Math.min(400, bytes.length))] = dice.below(256);
  return bytes;
}
