import { withoutAbsent } from '@ringdown/xml-schemas';
import type { ReceptionBlock, RtcpReport, VoiceMeasures } from './rtcp-report.js';

const BLOCK_LIMIT = 32;
const VOICE_BLOCK = 7;

/**
 * RTCP in the JSON of rtpengine, heplify and Asterisk, with the field names of the RFC. Undefined if the text is
 * something else.
 */
export function readRtcpJson(text: string): RtcpReport | undefined {
  const report = parsed(text);
  if (!isObject(report)) return undefined;
  // Some agents write both lists filled with zeros if the packet had none.
  const received = listOf(report['report_blocks']).filter((block) => block['source_ssrc'] !== 0);
  const extended = listOf(report['report_blocks_xr']).filter((block) => block['type'] === VOICE_BLOCK);
  const sender = report['sender_information'];
  if (!Array.isArray(report['report_blocks']) && extended.length === 0 && !isObject(sender)) return undefined;
  const sentPackets = isObject(sender) ? count(sender['packets']) : undefined;
  const blocks = [...received.map(receptionBlock), ...extended.map((block) => ({ voice: voiceMeasures(block) }))];
  return withoutAbsent({ sentPackets, blocks });
}

function receptionBlock(block: JsonObject): ReceptionBlock {
  const lost = count(block['fraction_lost'], 255);
  return withoutAbsent({
    lossRate: lost === undefined ? undefined : lost / 256,
    jitterTicks: count(block['ia_jitter']),
  });
}

function voiceMeasures(block: JsonObject): VoiceMeasures {
  const lost = count(block['fraction_lost'], 255);
  return withoutAbsent({
    lossRate: lost === undefined ? undefined : lost / 256,
    burstMs: count(block['burst_duration'], 65_535),
    gapMs: count(block['gap_duration'], 65_535),
    roundTripMs: count(block['round_trip_delay'], 65_535) || undefined,
  });
}

type JsonObject = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** Some agents write a single block without a list around it. */
function listOf(value: unknown): JsonObject[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, BLOCK_LIMIT).filter(isObject);
}

function count(value: unknown, max = 4_294_967_295): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max ? value : undefined;
}
