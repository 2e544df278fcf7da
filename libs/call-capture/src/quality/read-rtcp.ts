import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { cumulativeLoss } from './cumulative-loss.js';
import { readCnames } from './read-sdes.js';
import { burstMeasures } from './burst-measures.js';
import type { ReceptionBlock, RtcpReport, SenderReport, VoiceMeasures } from './rtcp-report.js';
import { isUnavailable, OF_WORDS } from './unavailable.js';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const EXTENDED_REPORT = 207;
const VOICE_BLOCK = 7;
const RECEPTION_BLOCK_LENGTH = 24;
const VOICE_BLOCK_LENGTH = 36;

/** Reads a compound RTCP packet. Undefined if the bytes are something else; other packet types in it are skipped. */
export function readRtcp(bytes: Buffer): RtcpReport | undefined {
  const [types, ssrcs, cnames]: [Set<number>, Set<number>, string[]] = [new Set(), new Set(), []];
  const [senders, blocks]: [SenderReport[], ReceptionBlock[]] = [[], []];
  let at = 0;
  while (bytes.length - at >= 8) {
    if (bytes.readUInt8(at) >> 6 !== 2) return undefined;
    const type = bytes.readUInt8(at + 1);
    const end = at + 4 * (bytes.readUInt16BE(at + 2) + 1);
    if (end > bytes.length || type < 192 || type > 223) return undefined;
    const part = bytes.subarray(at, end);
    const count = bytes.readUInt8(at) & 31;
    types.add(type);
    if (part.length >= 8 && isReport(type)) ssrcs.add(part.readUInt32BE(4));
    if (type === SENDER_REPORT && part.length >= 28) {
      senders.push({ ssrc: part.readUInt32BE(4), packets: part.readUInt32BE(20), stamp: part.readUInt32BE(10) });
      blocks.push(...receptionBlocks(part.subarray(28), count));
    }
    if (type === RECEIVER_REPORT) blocks.push(...receptionBlocks(part.subarray(8), count));
    if (type === SOURCE_DESCRIPTION) cnames.push(...readCnames(part, count));
    if (type === EXTENDED_REPORT) blocks.push(...voiceBlocks(part.subarray(8)));
    at = end;
  }
  return at === 0 ? undefined : withEmptiness({ ssrcs: [...ssrcs], cnames, senders, blocks }, types);
}

function withEmptiness(report: RtcpReport, types: ReadonlySet<number>): RtcpReport {
  const isEmpty = report.blocks.length === 0 && (types.has(SENDER_REPORT) || types.has(RECEIVER_REPORT));
  return isEmpty ? { ...report, receivedNothing: true } : report;
}

function isReport(type: number): boolean {
  return type === SENDER_REPORT || type === RECEIVER_REPORT || type === EXTENDED_REPORT;
}

function receptionBlocks(bytes: Buffer, count: number): ReceptionBlock[] {
  const whole = Math.min(count, Math.floor(bytes.length / RECEPTION_BLOCK_LENGTH));
  return Array.from({ length: whole }, (_, index) => {
    const block = bytes.subarray(index * RECEPTION_BLOCK_LENGTH);
    const [stamp, delay] = [block.readUInt32BE(16), block.readUInt32BE(20)];
    return withoutAbsent({
      ssrc: block.readUInt32BE(0),
      lossRate: block.readUInt8(4) / 256,
      lost: cumulativeLoss(block.readUIntBE(5, 3)),
      highest: block.readUInt32BE(8),
      jitterTicks: block.readUInt32BE(12),
      lastReport: stamp === 0 ? undefined : { stamp, delay },
    });
  });
}

function voiceBlocks(bytes: Buffer): ReceptionBlock[] {
  const found: ReceptionBlock[] = [];
  for (let at = 0; bytes.length - at >= 4;) {
    const end = at + 4 * (bytes.readUInt16BE(at + 2) + 1);
    if (end > bytes.length) break;
    if (bytes.readUInt8(at) === VOICE_BLOCK && end - at === VOICE_BLOCK_LENGTH) {
      found.push({ ssrc: bytes.readUInt32BE(at + 4), voice: voiceMeasures(bytes.subarray(at, end)) });
    }
    at = end;
  }
  return found;
}

function voiceMeasures(block: Buffer): VoiceMeasures {
  const mos = block.readUInt8(30) / 10;
  return withoutAbsent({
    lossRate: block.readUInt8(8) / 256,
    ...burstMeasures({
      burstDensity: block.readUInt8(10) / 256,
      gapDensity: block.readUInt8(11) / 256,
      burstMs: wordAt(block, 12),
      gapMs: wordAt(block, 14),
    }),
    roundTripMs: wordAt(block, 16) || undefined,
    listeningMos: isUnavailable(mos) ? undefined : mos || undefined,
  });
}

function wordAt(block: Buffer, at: number): number | undefined {
  const value = block.readUInt16BE(at);
  return value === OF_WORDS ? undefined : value;
}
