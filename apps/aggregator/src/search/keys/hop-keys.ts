import { isUploadFeed } from '@ringdown/contracts/uploads';
import type { Call } from '../../calls/call.js';

/** More than any real call has; an invented call must not fill the index. */
const HOP_LIMIT = 64;

/** Every server that the call is known to have passed, each once: who reported it, gateways with a trunk, those in `Via`, and the one that refused it. */
export function callHops({ feeds, frontEnds, parties, streams, end }: Call): readonly string[] {
  // The sender of an upload is an operator, and a certificate names its machine only in a part.
  const reporters = [...feeds, ...frontEnds].filter((name) => !isUploadFeed(name) && !name.includes('='));
  const gateways = parties.flatMap(({ trunk, ip }) => (trunk === undefined ? [] : (ip ?? [])));
  const via = streams.flatMap((stream) => (stream.via ?? []).flatMap((header) => viaHost(header) ?? []));
  const hops = [...reporters, ...gateways, ...via, end?.refusedBy?.hop ?? []].flat().map(hopName);
  return [...new Set(hops)].filter((name) => name !== '').slice(0, HOP_LIMIT);
}

/** Who sent a request: `SIP/2.0/UDP host:port;branch=…` (RFC 3261, 20.42), or the host alone. */
function viaHost(header: string): string | undefined {
  return header.split(';', 1)[0]?.trim().split(/\s/).at(-1);
}

/** One machine has one name, whatever its port: `10.0.0.9:5060`, `[2001:db8::9]:5060`. */
export function hopName(written: string): string {
  const name = written.trim().toLowerCase();
  if (name.startsWith('[')) return name.slice(1, name.includes(']') ? name.indexOf(']') : undefined);
  const [host = '', port, ...more] = name.split(':');
  return port === undefined || more.length > 0 ? name : host;
}
