import type { Network } from '@ringdown/settings';
import { BlockList, isIP } from 'node:net';

/** This machine, and networks that are not routed on the internet: deploy/make-env.sh writes the same list. */
export const PRIVATE_NETWORKS: readonly Network[] = [
  { address: '127.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '10.0.0.0', prefix: 8, family: 'ipv4' },
  { address: '172.16.0.0', prefix: 12, family: 'ipv4' },
  { address: '192.168.0.0', prefix: 16, family: 'ipv4' },
  { address: '169.254.0.0', prefix: 16, family: 'ipv4' },
  { address: '::1', prefix: 128, family: 'ipv6' },
  { address: 'fc00::', prefix: 7, family: 'ipv6' },
  { address: 'fe80::', prefix: 10, family: 'ipv6' },
];

/** The addresses whose requests are accepted. */
export class AllowedAddresses {
  private readonly list: BlockList | undefined;

  /** `all` is for senders that are checked by something else than their address. */
  constructor(networks: readonly Network[] | 'all') {
    if (networks === 'all') return;
    this.list = new BlockList();
    for (const { address, prefix, family } of networks) this.list.addSubnet(address, prefix, family);
  }

  /** IPv4 addresses may be written as IPv6 (`::ffff:192.0.2.1`), as sockets for both families do. */
  allows(address: string | undefined): boolean {
    if (this.list === undefined) return true;
    const version = isIP(address ?? '');
    if (address === undefined || version === 0) return false;
    return this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
