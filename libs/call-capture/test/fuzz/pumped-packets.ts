import { chunk, packet, u16, u32, writeHep } from '@ringdown/capture/test/write-hep.js';
import {
  block,
  ethernet,
  link,
  SECTION,
  SYN,
  tcp,
  udp,
  writePcap,
  writePcapng,
  type WrittenFrame,
} from '@ringdown/capture/test/write-pcap.js';
import type { Dice } from '@ringdown/testing/fuzz/dice';
import { pumpLength, pumpString } from '@ringdown/testing/fuzz/pumps';
import { pumpedSip } from './pumped-sip.js';
import { inSctp, inTunnels, inWebSocket } from './pumped-tunnels.js';

const ALICE = { ip: '192.0.2.10', port: 5_060 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const AT = 1_760_000_000_123;
const ETHERNET = 1;
const CHUNK_LIMIT = 60_000;
const PAYLOAD_LIMIT = 65_000;

/** A packet of HEP 3 with pump strings in its chunks, or many of them, or one that is damaged. */
export function pumpedHep(dice: Dice): Buffer {
  const kind = dice.below(10);
  const payload = dice.onceIn(2)
    ? pumpedSip(dice).subarray(0, CHUNK_LIMIT)
    : Buffer.from(pumpString(dice, CHUNK_LIMIT / 4));
  if (kind < 5)
    return writeHep({ payload, correlationId: pumpString(dice, 300).slice(0, 300), type: dice.of([1, 5, 100]) });
  const text = (): Buffer => Buffer.from(pumpString(dice, CHUNK_LIMIT / 4)).subarray(0, CHUNK_LIMIT);
  if (kind < 8)
    return packet(
      Array.from({ length: 1 + dice.below(3) }, () => chunk(dice.below(24), text().subarray(0, 20_000), dice.below(2))),
    );
  if (kind < 9)
    return packet([chunk(dice.below(24), Buffer.alloc(dice.below(4)))]).fill(chunk(dice.below(24), Buffer.alloc(0)), 6);
  return damaged(writeHep({ payload }), dice);
}

/** A capture whose packets contain pump strings: datagrams, segments out of order, SCTP, tunnels, blocks of any kind. */
export function pumpedCapture(dice: Dice): Buffer {
  const count = 1 + dice.below(dice.onceIn(100) ? 200 : 4);
  const frames = Array.from({ length: count }, (_, at): WrittenFrame => ({
    at: AT + at,
    bytes: ethernet(inTunnels(dice, inFrame(dice, at))),
  }));
  const file = dice.onceIn(2) ? writePcap(ETHERNET, frames) : writePcapng(ETHERNET, frames);
  if (dice.onceIn(4)) return damaged(file, dice);
  if (!dice.onceIn(20)) return file;
  const kinds = [1, 2, 3, 5, 6, 10];
  const blocks = Array.from({ length: 1 + dice.below(200) }, () =>
    block(dice.of(kinds), Buffer.alloc(dice.below(64), dice.below(256))),
  );
  return Buffer.concat([SECTION, link(ETHERNET), ...blocks]);
}

function inFrame(dice: Dice, at: number): Buffer {
  const bytes = dice.onceIn(3) ? pumpedSip(dice) : Buffer.from(pumpString(dice, PAYLOAD_LIMIT));
  const payload = bytes.subarray(0, PAYLOAD_LIMIT);
  if (dice.onceIn(2)) return udp(ALICE, PROXY, payload);
  const sequence = dice.onceIn(3) ? dice.below(100_000) : at * 500;
  if (dice.onceIn(4)) return inSctp(dice, payload);
  const data = dice.onceIn(3) ? inWebSocket(dice, payload) : payload;
  return tcp(ALICE, PROXY, { sequence, ...(dice.onceIn(10) ? { flags: SYN } : {}) }, data.subarray(0, 60_000));
}

/** RTCP (RFC 3550, RFC 3611): parts of all kinds and lengths one after another. */
export function pumpedRtcp(dice: Dice): Buffer {
  const parts = Array.from({ length: 1 + dice.below(dice.onceIn(200) ? 2_000 : 6) }, () => {
    const words = dice.onceIn(200) ? dice.below(16_000) : dice.below(12);
    const body = Buffer.alloc(words * 4, dice.below(256));
    const head = Buffer.from([0x80 | dice.below(32), dice.of([200, 201, 202, 207, 207, 192 + dice.below(32)])]);
    const blocks = dice.onceIn(3) ? xrBlocks(dice, words * 4) : body;
    return Buffer.concat([head, u16(words), blocks]);
  });
  const whole = Buffer.concat(parts).subarray(0, PAYLOAD_LIMIT);
  return dice.onceIn(5) ? damaged(whole, dice) : whole;
}

function xrBlocks(dice: Dice, length: number): Buffer {
  const one = Buffer.concat([
    Buffer.from([dice.of([7, 7, 4, 0]), 0]),
    u16(dice.of([8, 0, 0, 1])),
    Buffer.alloc(32, dice.below(256)),
  ]);
  const one4 = dice.onceIn(2) ? one : one.subarray(0, 4);
  return Buffer.concat([
    u32(1),
    ...Array<Buffer>(Math.ceil(length / one4.length)).fill(one4),
    Buffer.alloc(length),
  ]).subarray(0, length);
}

/** RTCP as JSON, with texts and nesting where numbers belong. */
export function pumpedRtcpJson(dice: Dice): string {
  const report = {
    ssrc: 2,
    type: 201,
    sender_information: { packets: dice.onceIn(3) ? pumpString(dice, 1_000) : 9 },
    report_blocks: Array.from({ length: pumpLength(dice, 2_000) }, () => ({
      source_ssrc: 1,
      fraction_lost: dice.below(300),
    })),
    report_blocks_xr: dice.onceIn(2) ? { type: 7, round_trip_delay: pumpString(dice, 1_000) } : [],
  };
  const text = JSON.stringify(report);
  return dice.onceIn(2)
    ? `{${pumpString(dice, PAYLOAD_LIMIT)}`
    : text.slice(0, dice.onceIn(4) ? dice.below(text.length) : undefined);
}

function damaged(bytes: Buffer, dice: Dice): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 1 + dice.below(8); times > 0 && copy.length > 0; times--)
    copy[dice.below(copy.length)] = dice.below(256);
  return copy;
}
