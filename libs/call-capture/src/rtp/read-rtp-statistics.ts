import type { TransportAddress } from '@ringdown/capture';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { isIP } from 'node:net';
import { readJsonObject } from '../json/json-object.js';

/**
 * What a capture agent measured of one stream, in the JSON of captagent, hepagent, heplify and horaclifix (HEP protocol types
 * 34 and 35). Fields are documented nowhere; these are the ones that the agents' sources write.
 */
export interface RtpStatistics {
  readonly callId?: string;
  readonly source?: TransportAddress;
  readonly destination?: TransportAddress;
  readonly ssrc?: number;
  readonly packets?: number;
  /** 0 to 1. */
  readonly lossRate?: number;
  readonly jitterMs?: number;
  readonly jitterMaxMs?: number;
  /** As the agent computes it. */
  readonly mos?: number;
  /** Of the whole stream; other reports may be of the time since the one before. */
  readonly isFinal: boolean;
}

const CALL_ID_LIMIT = 512;
const MOST = 4_294_967_295;
/** An hour of jitter is an error of the agent. */
const MOST_MS = 3_600_000;

/** Undefined if the text is something else, such as the agents' reports on RTCP, which have no measurements of RTP. */
export function readRtpStatistics(text: string): RtpStatistics | undefined {
  const report = readJsonObject(text);
  if (report === undefined || report['SOURCE'] === 'RTCP') return undefined;
  const number = (max: number, ...names: readonly string[]): number | undefined =>
    names.map((name) => numberIn(report[name], max)).find((value) => value !== undefined);
  const packets = number(MOST, 'TOTAL_PK', 'TOTAL_PACKETS');
  const lost = number(MOST, 'PACKET_LOSS', 'TOTAL_PACKET_LOSS');
  if (packets === undefined && lost === undefined) return undefined;
  const expected = number(MOST, 'EXPECTED_PK', 'TOTAL_EXPECTED_PK') ?? (packets ?? 0) + (lost ?? 0);
  const mos = number(5, 'MEAN_MOS', 'MOS');
  return withoutAbsent({
    callId: callIdIn(report['RTP_SIP_CALL_ID']) ?? callIdIn(report['CORRELATION_ID']),
    source: addressIn(report['SRC_IP'], report['SRC_PORT']),
    destination: addressIn(report['DST_IP'], report['DST_PORT']),
    ssrc: ssrcIn(report['SSRC']),
    packets,
    lossRate: lost === undefined || expected === 0 ? undefined : Math.min(1, lost / expected),
    jitterMs: number(MOST_MS, 'MEAN_JITTER', 'JITTER'),
    jitterMaxMs: number(MOST_MS, 'MAX_JITTER'),
    mos: mos !== undefined && mos >= 1 ? mos : undefined,
    isFinal: report['TYPE'] === 'FINAL' || report['TYPE'] === 'HANGUP',
  });
}

function numberIn(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= max ? value : undefined;
}

function callIdIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= CALL_ID_LIMIT ? value : undefined;
}

function addressIn(ip: unknown, port: unknown): TransportAddress | undefined {
  if (typeof ip !== 'string' || isIP(ip) === 0 || typeof port !== 'number') return undefined;
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? { ip, port } : undefined;
}

/** `0x1a2b3c4d`, or a number. */
function ssrcIn(value: unknown): number | undefined {
  if (typeof value === 'string') return /^0x[\da-f]{1,8}$/i.test(value) ? Number(value) : undefined;
  const number = numberIn(value, MOST);
  return number !== undefined && Number.isInteger(number) ? number : undefined;
}
