import type { Endpoint } from '@ringdown/xml-schemas';
import type { Call, Party } from './call.js';
import { frontEndKey } from './call-keys.js';

/** What calls are found by of the devices and the path of their media. */
export type PathKind = keyof typeof ENDS | keyof typeof DETAILS;

/** More than any real call has; an invented call must not fill the index. */
const VALUE_LIMIT = 64;
/** Code points of IP have six bits. */
const MAX_DSCP = 63;

type End = Endpoint & Party;

/** The values of one endpoint. */
const ENDS = {
  device: ({ captureDevice, renderDevice }) => [captureDevice, renderDevice],
  driver: ({ captureDeviceDriver, renderDeviceDriver, wifiDriver }) => [
    captureDeviceDriver,
    renderDeviceDriver,
    wifiDriver,
  ],
  os: ({ os }) => [os],
  relay: ({ relay }) => [relay],
  trunk: ({ trunk }) => [trunk],
  tenantId: ({ tenantId }) => [tenantId],
  ssid: ({ ssid }) => [ssid],
  bssid: ({ bssid }) => [bssid],
  mac: ({ mac }) => [mac],
  dscp: ({ dscpInbound, dscpOutbound }) => [codePoint(dscpInbound), codePoint(dscpOutbound)],
  vpn: ({ vpn }) => [flag(vpn)],
  inside: ({ inside }) => [flag(inside)],
} as const satisfies Readonly<Record<string, (end: End) => readonly (string | undefined)[]>>;

/** The values of the headers of the records. */
const DETAILS = {
  category: ({ dialogCategory }) => dialogCategory,
  mediaBypass: ({ mediaBypass }) => flag(mediaBypass),
} as const satisfies Readonly<Record<string, (details: Call['details']) => string | undefined>>;

const END_KINDS = Object.keys(ENDS).filter((kind): kind is keyof typeof ENDS => kind in ENDS);
const DETAIL_KINDS = Object.keys(DETAILS).filter((kind): kind is keyof typeof DETAILS => kind in DETAILS);

export const PATH_KINDS: readonly PathKind[] = [...END_KINDS, ...DETAIL_KINDS];

/** Each value of the call once, as written. */
export function pathValuesOf({ details, parties, streams }: Call): readonly (readonly [PathKind, string])[] {
  const ends: readonly End[] = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const values = new Map<string, readonly [PathKind, string]>();
  const add = (kind: PathKind, text: string | undefined): void => {
    if (text !== undefined && values.size < VALUE_LIMIT) values.set(`${kind} ${text}`, [kind, text]);
  };
  for (const kind of DETAIL_KINDS) add(kind, DETAILS[kind](details));
  for (const end of ends) {
    for (const kind of END_KINDS) for (const text of ENDS[kind](end)) add(kind, text);
  }
  return [...values.values()];
}

/** Not case-sensitive: these are names of machines, products and ids of devices. */
export const pathKey = frontEndKey;

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function codePoint(value: number | undefined): string | undefined {
  return value !== undefined && value >= 0 && value <= MAX_DSCP ? String(value) : undefined;
}
