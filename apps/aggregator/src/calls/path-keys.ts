import type { Endpoint } from '@ringdown/xml-schemas';
import type { Call, Party } from './call.js';
import { frontEndKey } from './call-keys.js';

/** What calls are found by of the devices and the path of their media. */
export type PathKind = 'device' | 'os' | 'relay' | 'trunk' | 'tenantId' | 'ssid' | 'bssid' | 'mac';

export const PATH_KINDS: readonly PathKind[] = ['device', 'os', 'relay', 'trunk', 'tenantId', 'ssid', 'bssid', 'mac'];

/** More than any real call has; an invented call must not fill the index. */
const VALUE_LIMIT = 64;

type End = Endpoint & Party;

const TEXTS: Readonly<Record<PathKind, (end: End) => readonly (string | undefined)[]>> = {
  device: ({ captureDevice, renderDevice }) => [captureDevice, renderDevice],
  os: ({ os }) => [os],
  relay: ({ relay }) => [relay],
  trunk: ({ trunk }) => [trunk],
  tenantId: ({ tenantId }) => [tenantId],
  ssid: ({ ssid }) => [ssid],
  bssid: ({ bssid }) => [bssid],
  mac: ({ mac }) => [mac],
};

/** Each value of the call once, as written. */
export function pathValuesOf({ parties, streams }: Call): readonly (readonly [PathKind, string])[] {
  const ends: readonly End[] = [...parties, ...streams.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())];
  const values = new Map<string, readonly [PathKind, string]>();
  for (const end of ends) {
    for (const kind of PATH_KINDS) {
      for (const text of TEXTS[kind](end)) {
        if (text !== undefined && values.size < VALUE_LIMIT) values.set(`${kind} ${text}`, [kind, text]);
      }
    }
  }
  return [...values.values()];
}

/** Not case-sensitive: these are names of machines, products and ids of devices. */
export const pathKey = frontEndKey;
