import { STREAM_ROWS } from '@ringdown/call-catalogue/metrics';
import { CONNECTION_FIELDS, ENDPOINT_FIELDS } from '../model/field-tables.js';
import { ELEMENT_OF_KIND } from './event-elements.js';

const OF_ROOT = ['ConnectionInfo', 'Properties', 'Route', 'RawSDP', 'FrontEnd', 'FrontEnds', 'Pools'];
const OF_EVENTS = ['From', 'To', 'EndPoint', 'Caller', 'Callee', 'Hop', 'ResponseCode', 'ResponsePhrase'];
const OF_MEDIA = ['Protocol', 'EstimatedBandwidth', 'Low', 'High', 'Codec', 'Bandwidth', 'MaxBandwidth', 'Average'];
const OF_MORE_MEDIA = ['Maximum', 'Via', 'ReferredBy', 'Replaces', 'StreamQuality'];
const OF_ATTRIBUTES = ['Type', 'Version', 'Name', 'PayLoadType', 'Limit', 'Code', 'Originator', 'RTT', 'Multiplexed'];

/**
 * Slicing a name out of a document and hashing it costs more than finding it among the expected names, which are
 * grouped here by their length and their two outer characters.
 */
const FREQUENT: readonly (readonly string[])[] = buckets(
  new Set([
    ...Object.values(ELEMENT_OF_KIND),
    ...[...CONNECTION_FIELDS, ...ENDPOINT_FIELDS].map(({ element }) => element),
    ...[OF_ROOT, OF_EVENTS, OF_MEDIA, OF_MORE_MEDIA, Object.keys(STREAM_ROWS), OF_ATTRIBUTES].flat(),
  ]),
);

function buckets(names: ReadonlySet<string>): string[][] {
  const all = Array.from({ length: 256 }, (): string[] => []);
  for (const name of names) all[bucketOf(name, 0, name.length)]?.push(name);
  return all;
}

function bucketOf(text: string, from: number, end: number): number {
  return (text.charCodeAt(from) * 5 + text.charCodeAt(end - 1) * 11 + (end - from) * 37) & 0xff;
}

/** The name at this place, as written. The same name of the feed is always the same string object. */
export function nameAt(text: string, from: number, end: number): string {
  for (const name of FREQUENT[bucketOf(text, from, end)] ?? []) {
    if (name.length === end - from && text.startsWith(name, from)) return name;
  }
  return text.slice(from, end);
}

/** `d:Ended` -> `Ended` */
export function localName(name: string): string {
  return name.indexOf(':') === -1 ? name : name.slice(name.lastIndexOf(':') + 1);
}
