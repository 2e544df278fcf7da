import type { Network } from '@ringdown/settings';
import { BlockList, isIP } from 'node:net';

/** Whose requests are taken. */
export class AllowedAddresses {
  private readonly list: BlockList | undefined;

  /** Undefined lets everybody in. */
  constructor(networks: readonly Network[] | undefined) {
    if (networks === undefined) return;
    this.list = new BlockList();
    for (const { address, prefix, family } of networks) this.list.addSubnet(address, prefix, family);
  }

  /** Whether addresses need not be looked at. */
  get everybody(): boolean {
    return this.list === undefined;
  }

  /** IPv4 addresses may be written as IPv6 ones (`::ffff:192.0.2.1`), as sockets for both do. */
  allows(address: string | undefined): boolean {
    if (this.list === undefined) return true;
    const version = isIP(address ?? '');
    if (address === undefined || version === 0) return false;
    return this.list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
