import { ELEMENT_OF_KIND } from './event-kinds.js';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from './field-tables.js';

const OF_ROOT = ['ConnectionInfo', 'Properties', 'Route', 'RawSDP', 'FrontEnd', 'FrontEnds', 'Pools'];
const OF_EVENTS = ['From', 'To', 'EndPoint', 'Caller', 'Callee', 'Hop', 'ResponseCode', 'ResponsePhrase'];
const OF_MEDIA = ['Protocol', 'EstimatedBandwidth', 'Low', 'High', 'Codec', 'Bandwidth', 'MaxBandwidth', 'Average'];
const OF_MORE_MEDIA = ['Maximum', 'Via', 'ReferredBy', 'Replaces', 'StreamQuality'];
const OF_METRICS = ['PacketUtilization', 'PacketLossRate', 'PacketLossRateMax', 'JitterInterArrival', 'RoundTrip'];
const OF_ATTRIBUTES = ['Type', 'Version', 'Name', 'PayLoadType', 'Limit', 'Code', 'Originator', 'RTT', 'Multiplexed'];

/**
 * The parser makes a new string for every name. Names that are looked at again and again are swapped for one and the
 * same string each, which is found and compared several times as fast.
 */
const FREQUENT: ReadonlyMap<string, string> = new Map(
  [
    ...Object.values(ELEMENT_OF_KIND),
    ...[...CONNECTION_FIELDS, ...ENDPOINT_FIELDS].map(({ element }) => element),
    ...[OF_ROOT, OF_EVENTS, OF_MEDIA, OF_MORE_MEDIA, OF_METRICS, OF_ATTRIBUTES].flat(),
  ].map((name) => [name, name]),
);

/** `d:Ended` -> `Ended` */
export function localName(name: string): string {
  return FREQUENT.get(name) ?? name.slice(name.lastIndexOf(':') + 1);
}
