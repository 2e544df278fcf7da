import type { NetworkList } from '@ringdown/node-http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** The sender on a connection. */
export interface Peer {
  /**
   * The address is empty for a closed connection; the subject is in the format of
   * `openssl x509 -subject -nameopt RFC2253`.
   */
  readonly sentBy: { readonly remoteAddress: string; readonly certificateSubject: string | undefined };
  /** Whether requests from its address are accepted. */
  readonly isAllowed: boolean;
}

export interface PeersOptions {
  /** `all` is for senders that are checked by something else than their address. */
  readonly allowed: NetworkList | 'all';
  /** The client address of a connection: the one that a load balancer forwards. */
  addressOf(socket: Socket): string | undefined;
}

/** Certificates are signed by the operator's own CA; the subject, cut to this length, is stored with each record. */
const MAX_SUBJECT_CHARACTERS = 512;

/** Determined once per connection: thousands of records arrive on each. */
export class Peers {
  private readonly known = new WeakMap<Socket, Peer>();

  constructor(private readonly options: PeersOptions) {}

  of(socket: Socket): Peer {
    const known = this.known.get(socket);
    if (known !== undefined) return known;
    const remoteAddress = plainAddress(this.options.addressOf(socket));
    const { allowed } = this.options;
    const peer = {
      sentBy: { remoteAddress, certificateSubject: subjectOf(socket) },
      isAllowed: allowed === 'all' || allowed.has(remoteAddress),
    };
    this.known.set(socket, peer);
    return peer;
  }
}

/** Sockets for both families write IPv4 addresses as IPv6. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d{1,3}\.)/i, '');
}

function subjectOf(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // Node escapes line breaks and commas inside a name.
  const names = socket.getPeerX509Certificate()?.subject?.split('\n') ?? [];
  return names.length === 0 ? undefined : names.toReversed().join(',').slice(0, MAX_SUBJECT_CHARACTERS);
}
