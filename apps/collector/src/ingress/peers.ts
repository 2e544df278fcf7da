import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { AllowedAddresses } from './allowed-addresses.js';

/** Who sends on a connection. */
export interface Peer {
  /** The address is empty for a connection that is gone, the subject as `openssl x509 -subject -nameopt RFC2253` shows it. */
  readonly sentBy: { readonly remoteAddress: string; readonly certificateSubject: string | undefined };
  /** Whether requests from its address are taken. */
  readonly isAllowed: boolean;
}

export interface PeersOptions {
  readonly allowed: AllowedAddresses;
  /** Whose connection it is: the one that a balancer hands on. */
  addressOf(socket: Socket): string | undefined;
}

/** An authority of the operator's own has signed it; whatever stands in it is stored with each record. */
const MAX_SUBJECT_CHARACTERS = 512;

/** Found out once a connection: records come by the thousand on each. */
export class Peers {
  private readonly known = new WeakMap<Socket, Peer>();

  constructor(private readonly options: PeersOptions) {}

  of(socket: Socket): Peer {
    const known = this.known.get(socket);
    if (known !== undefined) return known;
    const remoteAddress = plainAddress(this.options.addressOf(socket));
    const peer = {
      sentBy: { remoteAddress, certificateSubject: subjectOf(socket) },
      isAllowed: this.options.allowed.allows(remoteAddress),
    };
    this.known.set(socket, peer);
    return peer;
  }
}

/** Sockets for both families write IPv4 addresses as IPv6 ones. */
function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d{1,3}\.)/i, '');
}

function subjectOf(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  // Node escapes line breaks and commas inside of a name.
  const names = socket.getPeerX509Certificate()?.subject?.split('\n') ?? [];
  return names.length === 0 ? undefined : names.toReversed().join(',').slice(0, MAX_SUBJECT_CHARACTERS);
}
