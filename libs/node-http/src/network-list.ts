import type { Network } from '@ringdown/settings';
import { BlockList, isIP } from 'node:net';

/** IP addresses, given as networks. */
export class NetworkList {
  private readonly list = new BlockList();

  constructor(networks: readonly Network[] = []) {
    for (const { address, prefix, family } of networks) this.list.addSubnet(address, prefix, family);
  }

  /** IPv4 addresses may be written as IPv6 (`::ffff:192.0.2.1`), as sockets for both families do. */
  has(address: string | undefined): boolean {
    const version = isIP(address ?? '');
    if (address === undefined || version === 0) return false;
    return this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
