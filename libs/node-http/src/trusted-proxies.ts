import type { Network } from '@ringdown/settings';
import { BlockList, isIP } from 'node:net';

/** The addresses whose statements about the addresses of clients are believed. */
export class TrustedProxies {
  private readonly list = new BlockList();

  constructor(networks: readonly Network[] = []) {
    for (const { address, prefix, family } of networks) this.list.addSubnet(address, prefix, family);
  }

  /** IPv4 addresses may be written as IPv6 ones. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
