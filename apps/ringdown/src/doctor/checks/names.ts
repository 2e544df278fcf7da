import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { nodeErrorCode } from '@ringdown/errors';
import { clientNames, type ClientName } from '../../host/client-names.js';
import type { Check } from '../check.js';
import { ok, problem, unknown, type Finding } from '../finding.js';

export interface NameFacts extends ClientName {
  /** Empty if it cannot be found. */
  readonly addresses: readonly string[];
  /** Of the resolver, if it found none. */
  readonly code?: string;
}

/** `own`: addresses of this machine that others can reach. */
export function nameFindings(names: readonly NameFacts[], own: readonly string[]): readonly Finding[] {
  if (names.length === 0)
    return [
      ok('no names are needed: SIP_DOMAINS and PUBLIC_ORIGIN are not set, so clients of this machine alone are served'),
    ];
  return names.map((each) => nameFinding(each, own));
}

function nameFinding({ name, why, addresses, code }: NameFacts, own: readonly string[]): Finding {
  const [address = 'ADDRESS'] = own;
  const record = `${name}. IN ${address.includes(':') ? 'AAAA' : 'A'} ${address}`;
  if (addresses.length === 0)
    return problem(
      `${name} cannot be found (${code ?? 'no address'}): ${why}`,
      `add to the zone of the domain: ${record}`,
    );
  if (addresses.some((each) => own.includes(each))) return ok(`${name} is this machine`);
  return unknown(
    `${name} is ${addresses.join(', ')}, no address of this machine: ${why}`,
    `right if a router or balancer there forwards to this machine; if not: ${record}`,
  );
}

export const NAMES: Check = {
  name: 'names',
  looksAt: 'discovery names of SIP_DOMAINS, and hosts of PUBLIC_ORIGIN, that cannot be found, or are other machines',
  examine: async (system) => nameFindings(await Promise.all(clientNames(system).map(found)), ownAddresses()),
};

async function found(wanted: ClientName): Promise<NameFacts> {
  try {
    const all = await lookup(wanted.name, { all: true });
    return { ...wanted, addresses: all.map(({ address }) => address) };
  } catch (error) {
    return { ...wanted, addresses: [], code: nodeErrorCode(error) ?? 'unknown reason' };
  }
}

/** IPv4 first, as most zones have it. */
export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const reachable = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const of = (wanted: string): readonly string[] =>
    reachable.filter(({ family }) => family === wanted).map(({ address }) => address);
  return [...of('IPv4'), ...of('IPv6')];
}
