import type { Frame } from './file/frame.js';
import { HepError } from './hep/hep-error.js';
import { isEarlierHep } from './hep/read-earlier-hep.js';
import { HEP3_MARK, hepType, readHep } from './hep/read-hep.js';
import { InnermostPackets } from './layers/innermost-packet.js';
import type { IpPacket } from './layers/ip-packet.js';
import { PROTOCOL } from './layers/ip-protocols.js';
import { NotRead, type NotReadKind } from './not-read.js';
import { directionKey, type Addresses, type CapturedPacket, type PacketContent } from './packet/captured-packet.js';
import { kindOfDatagram } from './packet/datagram-kind.js';
import { SCTP_HEADER_LENGTH } from './streams/sctp-chunks.js';
import { SctpMessages } from './streams/sctp-messages.js';
import { isSip } from './streams/sip-stream.js';
import { TcpStreams, type StreamMessage } from './streams/tcp-streams.js';

const UDP_HEADER_LENGTH = 8;
const TCP_HEADER_LENGTH = 20;
const FLAG = { fin: 1, syn: 2, rst: 4, ack: 16 } as const;
const SIPS_PORT = 5_061;

/** Extracts SIP, RTCP and RTP from network frames; other packets are ignored. */
export class PacketsInFrames {
  private readonly counted = new NotRead();
  private readonly innermost = new InnermostPackets(this.counted);
  private readonly streams = new TcpStreams(this.counted);
  private readonly associations = new SctpMessages(this.counted);

  *add(frame: Frame): Generator<CapturedPacket> {
    const packet = this.innermost.in(frame);
    if (packet?.protocol === PROTOCOL.udp) yield* this.fromDatagram(packet, frame.at);
    if (packet?.protocol === PROTOCOL.tcp) yield* this.fromSegment(packet, frame.at);
    if (packet?.protocol === PROTOCOL.sctp) yield* this.fromAssociation(packet, frame.at);
  }

  /** Call it after the last frame: the messages after the gaps that no segment has filled. */
  *end(): Generator<CapturedPacket> {
    for (const message of this.streams.end()) yield* this.fromStream(message);
    this.associations.end();
  }

  /** What was not read so far, by kind. */
  get notRead(): readonly NotReadKind[] {
    this.counted.incompletePackets = this.innermost.incompletePackets;
    return this.counted.kinds;
  }

  private *fromSegment(packet: IpPacket, at: number): Generator<CapturedPacket> {
    const { payload, missing } = packet;
    if (payload.length < TCP_HEADER_LENGTH) return;
    const headerLength = (payload.readUInt8(12) >> 4) * 4;
    if (headerLength < TCP_HEADER_LENGTH || headerLength > payload.length) return;
    const flags = payload.readUInt8(13);
    const addresses = packetAddresses(packet);
    const data = payload.subarray(headerLength);
    if (isTlsOfSip(addresses, data)) this.counted.addProtocol(`TLS (port ${SIPS_PORT})`);
    const messages = this.streams.add({
      addresses,
      at,
      sequence: payload.readUInt32BE(4),
      ...((flags & FLAG.ack) === 0 ? {} : { acknowledged: payload.readUInt32BE(8) }),
      begins: (flags & FLAG.syn) !== 0,
      ends: (flags & (FLAG.fin | FLAG.rst)) !== 0,
      payload: data,
      missing,
    });
    for (const message of messages) yield* this.fromStream(message);
  }

  private *fromAssociation(packet: IpPacket, at: number): Generator<CapturedPacket> {
    if (packet.payload.length < SCTP_HEADER_LENGTH) return;
    const addresses = packetAddresses(packet);
    for (const payload of this.associations.add(directionKey(addresses), packet.payload)) {
      yield { ...addresses, capturedAt: at, content: 'sip', payload };
    }
  }

  private *fromDatagram(packet: IpPacket, at: number): Generator<CapturedPacket> {
    if (packet.payload.length <= UDP_HEADER_LENGTH) return;
    // The length in the header may be zero in long datagrams, and larger than what was captured.
    const stated = packet.payload.readUInt16BE(4);
    const payload = packet.payload.subarray(UDP_HEADER_LENGTH, stated > UDP_HEADER_LENGTH ? stated : undefined);
    if (isHep3(payload) || isEarlierHep(payload)) {
      yield* this.fromHep(payload, at);
      return;
    }
    const content = datagramContent(payload);
    if (content === 'sip' && packet.missing > 0) this.counted.cutMessages++;
    if (content === 'rtp') yield { ...packetAddresses(packet), capturedAt: at, content, dscp: packet.dscp, payload };
    else if (content !== 'other') yield { ...packetAddresses(packet), capturedAt: at, content, payload };
  }

  private *fromStream({ addresses, at, payload }: StreamMessage): Generator<CapturedPacket> {
    if (isHep3(payload)) yield* this.fromHep(payload, at);
    else yield { ...addresses, capturedAt: at, content: 'sip', payload };
  }

  /** A HEP packet of a capture agent that was itself captured. */
  private *fromHep(payload: Buffer, receivedAt: number): Generator<CapturedPacket> {
    try {
      const packet = readHep(payload, { receivedAt });
      if (packet.content === 'other') this.counted.addHepType(hepType(payload));
      else yield packet;
    } catch (error) {
      if (!(error instanceof HepError)) throw error;
      this.counted.addHep(error.problem);
    }
  }
}

/** No message of SIP begins like this: a method has no digits. */
function isHep3(payload: Buffer): boolean {
  return payload.subarray(0, HEP3_MARK.length).equals(HEP3_MARK);
}

/** A record of TLS 1.0 or later (RFC 8446, 5.1), so that a capture of encrypted SIP is not silently empty. */
function isTlsOfSip({ source, destination }: Addresses, data: Buffer): boolean {
  const [type = 0, version = 0] = data;
  return (source.port === SIPS_PORT || destination.port === SIPS_PORT) && type >= 20 && type <= 23 && version === 3;
}

function packetAddresses({ source, destination, payload }: IpPacket): Addresses {
  return {
    source: { ip: source, port: payload.readUInt16BE(0) },
    destination: { ip: destination, port: payload.readUInt16BE(2) },
  };
}

function datagramContent(payload: Buffer): PacketContent {
  const kind = kindOfDatagram(payload);
  if (kind === 'rtp' || kind === 'rtcp') return kind;
  return isSip(payload) ? 'sip' : 'other';
}
