import type { Frame } from '../file/frame.js';
import type { NotRead } from '../not-read.js';
import { Fragments } from './fragments.js';
import { readIpPacket, type IpPacket } from './ip-packet.js';
import { PROTOCOL, tunnelInIp } from './ip-protocols.js';
import { layer, type Layer, type LayerName } from './layer.js';
import { describeLink, firstLayer } from './link-types.js';
import { READERS } from './readers.js';
import { tunnelInUdp } from './udp-tunnels.js';

/** Four tunnels within each other have about twenty headers. */
const MAX_LAYERS = 32;

/** Opens links and tunnels up to the innermost IP packet, whose payload is none of our tunnels. */
export class InnermostPackets {
  private readonly fragments = new Fragments();

  constructor(private readonly notRead: NotRead) {}

  get incompletePackets(): number {
    return this.fragments.incomplete;
  }

  /** Undefined if the frame contains none, or a fragment that is not the last missing one. */
  in({ linkType, bytes }: Frame): IpPacket | undefined {
    const first = firstLayer(linkType);
    if (first === undefined) {
      this.notRead.addProtocol(describeLink(linkType));
      return undefined;
    }
    return this.open(first, bytes);
  }

  private open(first: LayerName, frame: Buffer): IpPacket | undefined {
    let current: Layer | undefined = layer(first, frame);
    for (let layers = 0; current; layers++) {
      if ('unread' in current) {
        this.notRead.addProtocol(current.unread);
        return undefined;
      }
      if (layers === MAX_LAYERS) {
        this.notRead.addProtocol(`more than ${MAX_LAYERS} headers`);
        return undefined;
      }
      const { next, bytes }: Extract<Layer, { next: LayerName }> = current;
      if (next === 'ip') {
        const read = readIpPacket(bytes);
        // Some captures have tags where their link has none: not to be silently empty.
        if (!read) this.notRead.addProtocol('IP with an unreadable header');
        const packet = this.whole(read);
        current = packet && tunnelIn(packet);
        if (!current) return packet;
      } else {
        current = READERS[next](bytes);
      }
    }
    return undefined;
  }

  private whole(packet: IpPacket | undefined): IpPacket | undefined {
    return packet?.fragment ? this.fragments.add({ ...packet, fragment: packet.fragment }) : packet;
  }
}

function tunnelIn({ protocol, payload }: IpPacket): Layer | undefined {
  return protocol === PROTOCOL.udp ? tunnelInUdp(payload) : tunnelInIp(protocol, payload);
}
