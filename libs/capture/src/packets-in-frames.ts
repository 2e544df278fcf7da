import type { CapturedPacket, PacketContent, TransportAddress } from './packet/captured-packet.js';
import { HepError } from './hep/hep-error.js';
import { HEP3_MARK, readHep } from './hep/read-hep.js';
import { Fragments } from './network/fragments.js';
import type { Frame } from './file/frame.js';
import { PROTOCOL, readIpPacket, type IpPacket } from './network/ip-packet.js';
import { ipPacketIn } from './links/link-layer.js';
import { isSip } from './streams/sip-stream.js';
import { TcpStreams } from './streams/tcp-streams.js';

const UDP_HEADER_LENGTH = 8;
const TCP_HEADER_LENGTH = 20;
const FLAG = { fin: 1, syn: 2, rst: 4 } as const;

/** Extracts SIP and RTCP from network frames; other packets are ignored. */
export class PacketsInFrames {
  private readonly fragments = new Fragments();
  private readonly streams = new TcpStreams();

  *add({ at, linkType, bytes }: Frame): Generator<CapturedPacket> {
    const inFrame = ipPacketIn(linkType, bytes);
    const piece = inFrame && readIpPacket(inFrame);
    const packet = piece?.fragment ? this.fragments.add({ ...piece, fragment: piece.fragment }) : piece;
    if (packet?.protocol === PROTOCOL.udp) yield* fromDatagram(packet, at);
    if (packet?.protocol === PROTOCOL.tcp) yield* this.fromSegment(packet, at);
  }

  private *fromSegment(packet: IpPacket, at: number): Generator<CapturedPacket> {
    const { payload } = packet;
    if (payload.length < TCP_HEADER_LENGTH) return;
    const headerLength = (payload.readUInt8(12) >> 4) * 4;
    if (headerLength < TCP_HEADER_LENGTH || headerLength > payload.length) return;
    const flags = payload.readUInt8(13);
    const { source, destination } = addressesOf(packet);
    const messages = this.streams.add({
      key: `${source.ip} ${source.port} ${destination.ip} ${destination.port}`,
      sequence: payload.readUInt32BE(4),
      begins: (flags & FLAG.syn) !== 0,
      ends: (flags & (FLAG.fin | FLAG.rst)) !== 0,
      payload: payload.subarray(headerLength),
    });
    for (const message of messages) {
      yield { source, destination, capturedAt: at, content: 'sip', payload: message };
    }
  }
}

function* fromDatagram(packet: IpPacket, at: number): Generator<CapturedPacket> {
  if (packet.payload.length <= UDP_HEADER_LENGTH) return;
  // The length in the header may be zero in long datagrams, and larger than what was captured.
  const stated = packet.payload.readUInt16BE(4);
  const payload = packet.payload.subarray(UDP_HEADER_LENGTH, stated > UDP_HEADER_LENGTH ? stated : undefined);
  if (payload.subarray(0, HEP3_MARK.length).equals(HEP3_MARK)) yield* fromHep(payload);
  const content = contentOf(payload);
  if (content !== 'other') yield { ...addressesOf(packet), capturedAt: at, content, payload };
}

/** A HEP packet of a capture agent that was itself captured. */
function* fromHep(payload: Buffer): Generator<CapturedPacket> {
  try {
    yield readHep(payload);
  } catch (error) {
    if (!(error instanceof HepError)) throw error;
  }
}

function addressesOf({ source, destination, payload }: IpPacket): {
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
} {
  return {
    source: { ip: source, port: payload.readUInt16BE(0) },
    destination: { ip: destination, port: payload.readUInt16BE(2) },
  };
}

/** RTP and RTCP differ in the second byte (RFC 5761, 4). */
function contentOf(payload: Buffer): PacketContent {
  const [first = 0, second = 0] = payload;
  if (first >> 6 === 2 && second >= 200 && second <= 207) return 'rtcp';
  return isSip(payload) ? 'sip' : 'other';
}
