import { fitText } from '@ringdown/xml-schemas';
import { withoutAbsent } from '@ringdown/xml-schemas/fields';
import { canonicalAddress, parseMediaPort } from '../sip/media-address.js';
import { burstMeasures } from './burst-measures.js';
import type { VoiceMeasures } from './rtcp-report.js';
import { isUnavailable } from './unavailable.js';

/** The report of a phone about a call (RFC 6035): its own measurements, and those that the other side sent to it. */
export interface VoiceReport {
  readonly callId: string;
  /** The media addresses of the reporter and of the other side. */
  readonly local?: ReportedAddress;
  readonly remote?: ReportedAddress;
  readonly localMeasures?: VoiceMeasures;
  readonly remoteMeasures?: VoiceMeasures;
  /** As in the report: `2026-01-02T03:04:05Z`. */
  readonly startTime?: string;
  readonly endTime?: string;
}

export interface ReportedAddress {
  readonly ip: string;
  readonly port: number;
  /** Of the stream from there. */
  readonly ssrc?: number;
}

export const VOICE_REPORT_TYPE = 'application/vq-rtcpxr';

type Values = ReadonlyMap<string, string>;
type Section = ReadonlyMap<string, string>;

/** Undefined if the body is not a session report, or names no call. */
export function readVoiceReport(body: string): VoiceReport | undefined {
  if (!/^\s*VQ(?:Session|Interval)Report\b/i.test(body)) return undefined;
  const [common, local, remote] = sections(body);
  const callId = common.get('callid') ?? '';
  if (callId === '') return undefined;
  const times = values(local.get('timestamps') ?? common.get('timestamps'));
  return withoutAbsent({
    callId,
    local: address(local.get('localaddr') ?? common.get('localaddr')),
    remote: address(local.get('remoteaddr') ?? common.get('remoteaddr')),
    localMeasures: measures(local),
    remoteMeasures: measures(remote),
    startTime: fitText(times.get('START') ?? '', 'word') || undefined,
    endTime: fitText(times.get('STOP') ?? '', 'word') || undefined,
  });
}

/** Lines before the first heading are about the call, those after a heading about one side. */
function sections(body: string): readonly [Section, Section, Section] {
  const parts = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()] as const;
  let [part] = parts;
  for (const line of body.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = (colon === -1 ? line : line.slice(0, colon)).trim().toLowerCase();
    if (name === 'localmetrics') [, part] = parts;
    else if (name === 'remotemetrics') [, , part] = parts;
    else if (colon > 0 && !part.has(name)) part.set(name, line.slice(colon + 1).trim());
  }
  return parts;
}

/** `IP=10.0.0.1 PORT=5000 SSRC=1` */
function values(line: string | undefined): Values {
  const pairs = [...(line ?? '').matchAll(/(?<![A-Za-z])([A-Za-z]+)=("[^"]*"|\S+)/g)];
  return new Map(pairs.map(([, key = '', value = '']) => [key.toUpperCase(), value]));
}

function address(line: string | undefined): ReportedAddress | undefined {
  const given = values(line);
  const ip = canonicalAddress(given.get('IP') ?? '');
  const port = parseMediaPort(given.get('PORT'));
  const ssrc = /^0x([\dA-F]{1,8})$/i.exec(given.get('SSRC') ?? '')?.[1];
  if (ip === undefined || port === undefined) return undefined;
  return { ip, port, ...(ssrc === undefined ? {} : { ssrc: Number.parseInt(ssrc, 16) }) };
}

function measures(section: Section): VoiceMeasures | undefined {
  const line = (name: string): Values => values(section.get(name));
  const [loss, delay, quality, bursts] = [line('packetloss'), line('delay'), line('qualityest'), line('burstgaploss')];
  const share = (given: Values, key: string): number | undefined => {
    const percent = numberIn(given, key);
    return percent === undefined ? undefined : percent / 100;
  };
  const found = withoutAbsent({
    lossRate: share(loss, 'NLR'),
    jitterMs: numberIn(delay, 'IAJ'),
    jitterMaxMs: numberIn(delay, 'MAJ'),
    roundTripMs: numberIn(delay, 'RTD') || undefined,
    listeningMos: numberIn(quality, 'MOSLQ') || undefined,
    ...burstMeasures({
      burstDensity: share(bursts, 'BLD'),
      gapDensity: share(bursts, 'GLD'),
      burstMs: numberIn(bursts, 'BD'),
      gapMs: numberIn(bursts, 'GD'),
    }),
  });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** What is possible is decided where the measurements are used. */
function numberIn(given: Values, key: string): number | undefined {
  const text = given.get(key);
  if (text === undefined || !/^-?\d{1,9}(?:\.\d{1,9})?$/.test(text)) return undefined;
  const value = Number(text);
  return isUnavailable(value) ? undefined : value;
}
