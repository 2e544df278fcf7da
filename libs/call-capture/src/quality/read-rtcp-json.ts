import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { isObject, readJsonObject, type JsonObject } from '../json/json-object.js';
import { cumulativeLoss } from './cumulative-loss.js';
import { burstMeasures } from './burst-measures.js';
import type { ReceptionBlock, RtcpReport, SenderReport, VoiceMeasures } from './rtcp-report.js';
import { OF_WORDS } from './unavailable.js';

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const BLOCK_LIMIT = 32;
const VOICE_BLOCK = 7;
const CNAME = 1;
const CNAME_LIMIT = 255;
/** Seconds from 1900 to 1970. */
const NTP_UNIX_OFFSET = 2_208_988_800;

/**
 * RTCP in the JSON of rtpengine, heplify and Asterisk, with the field names of the RFC. Undefined if the text is
 * something else.
 */
export function readRtcpJson(text: string): RtcpReport | undefined {
  const report = readJsonObject(text);
  if (report === undefined) return undefined;
  // Some agents write both lists filled with zeros if the packet had none.
  const received = blockList(report['report_blocks']).filter((block) => block['source_ssrc'] !== 0);
  const extended = blockList(report['report_blocks_xr']).filter((block) => block['type'] === VOICE_BLOCK);
  const sender = report['sender_information'];
  if (!Array.isArray(report['report_blocks']) && extended.length === 0 && !isObject(sender)) return undefined;
  const ssrcs = [report['ssrc'], report['sdes_ssrc']].flatMap((ssrc) => count(ssrc) || []);
  const read = {
    ssrcs: [...new Set(ssrcs)],
    cnames: blockList(report['sdes_information']).flatMap(cnameIn),
    senders: isObject(sender) ? [senderReport(sender, count(report['ssrc']))] : [],
    blocks: [...received.map(receptionBlock), ...extended.map((block) => ({ voice: voiceMeasures(block) }))],
  };
  const isReport = isObject(sender) || report['type'] === SENDER_REPORT || report['type'] === RECEIVER_REPORT;
  return isReport && read.blocks.length === 0 ? { ...read, receivedNothing: true } : read;
}

function senderReport(sender: JsonObject, ssrc: number | undefined): SenderReport {
  return withoutAbsent({ ssrc, packets: count(sender['packets']), stamp: stampOf(sender) });
}

/**
 * The middle of the NTP time. rtpengine and heplify write both halves as they are in the packet, whatever the name of the
 * second one is; Asterisk writes seconds since 1970 and microseconds, in quotes.
 */
function stampOf(sender: JsonObject): number | undefined {
  const [seconds, part] = [count(sender['ntp_timestamp_sec']), count(sender['ntp_timestamp_usec'])];
  if (seconds === undefined || part === undefined || seconds === 0) return undefined;
  const isUnix = seconds < NTP_UNIX_OFFSET && part < 1_000_000;
  const fraction = isUnix ? Math.round((part * 65_536) / 1_000_000) : Math.floor(part / 65_536);
  return ((seconds + (isUnix ? NTP_UNIX_OFFSET : 0)) % 65_536) * 65_536 + Math.min(fraction, 65_535);
}

function receptionBlock(block: JsonObject): ReceptionBlock {
  const lost = count(block['fraction_lost'], 255);
  const [stamp, delay] = [count(block['lsr']), count(block['dlsr'])];
  return withoutAbsent({
    ssrc: count(block['source_ssrc']),
    lossRate: lost === undefined ? undefined : lost / 256,
    lost: signedCount(block['packets_lost']),
    highest: count(block['highest_seq_no']),
    jitterTicks: count(block['ia_jitter']),
    lastReport: stamp === undefined || stamp === 0 || delay === undefined ? undefined : { stamp, delay },
  });
}

/** As rtpengine lists the items of a source description. */
function cnameIn({ type, text }: JsonObject): string[] {
  return type === CNAME && typeof text === 'string' && text !== '' && text.length <= CNAME_LIMIT ? [text] : [];
}

function voiceMeasures(block: JsonObject): VoiceMeasures {
  const share = (name: string): number | undefined => {
    const parts = count(block[name], 255);
    return parts === undefined ? undefined : parts / 256;
  };
  return withoutAbsent({
    lossRate: share('fraction_lost'),
    ...burstMeasures({
      burstDensity: share('burst_density'),
      gapDensity: share('gap_density'),
      burstMs: count(block['burst_duration'], OF_WORDS - 1),
      gapMs: count(block['gap_duration'], OF_WORDS - 1),
    }),
    roundTripMs: count(block['round_trip_delay'], OF_WORDS - 1) || undefined,
  });
}

/** Some agents write a single block without a list around it. */
function blockList(value: unknown): JsonObject[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, BLOCK_LIMIT).filter(isObject);
}

function signedCount(value: unknown): number | undefined {
  const isNegative = typeof value === 'number' ? value < 0 : typeof value === 'string' && value.startsWith('-');
  const size = count(isNegative ? (typeof value === 'string' ? value.slice(1) : -Number(value)) : value);
  return size === undefined ? undefined : cumulativeLoss(isNegative ? -size : size);
}

/** Some agents write numbers in quotes. */
function count(value: unknown, max = 4_294_967_295): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= max ? number : undefined;
}
