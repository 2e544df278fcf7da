import type { TransportAddress } from '@ringdown/capture';

/** What stands between the two phones. */
export type HopKind =
  /** RFC 3261, 16: the same dialog, with a Via of its own. */
  | 'proxy'
  /** A border controller: the same Call-ID, with both tags, CSeq and addresses of its own. */
  | 'border controller'
  /** A proxy with a media relay: the same dialog, with addresses of its own. */
  | 'relaying proxy'
  /** The same between two other proxies, without the Via of those before it (as Kamailio `topos` and OpenSIPS `topology_hiding`). */
  | 'proxy that hides topology';

/** A message at one of two capture points. */
export interface HopMessage {
  readonly hop: 'outer' | 'inner';
  /** Milliseconds since the beginning. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly source: TransportAddress;
  readonly destination: TransportAddress;
}

export interface HopParts {
  readonly cseq?: number;
  /** The other party has no tag in it. */
  readonly isFirst?: boolean;
  readonly body?: string;
  readonly headers?: readonly string[];
  /** Of the transaction; by default of method and CSeq. */
  readonly branch?: string;
  readonly device?: string;
}

type Phone = 'alice' | 'bob';

const ALICE = '192.0.2.10';
const BOB = '192.0.2.20';
const MIDDLE = '192.0.2.5';
/** Of the proxy between each phone and a hop that hides topology. */
const EDGE = '192.0.2.7';
/** How long the hop takes for a message. */
const FORWARDED_MS = 2;
const INNER_CSEQ = 100;

/** A call with a hop between its phones, captured on both sides of it. */
export class HopCall {
  readonly messages: HopMessage[] = [];

  constructor(private readonly kind: HopKind) {}

  request(at: number, by: Phone, method: string, parts: HopParts = {}): this {
    return this.both(at, by, (hop) => this.message(hop, by, `${method} sip:x@example.test SIP/2.0`, method, parts));
  }

  /** Of the other side, to a request of `to`. */
  response(at: number, to: Phone, status: string, method: string, parts: HopParts = {}): this {
    const by = to === 'alice' ? 'bob' : 'alice';
    return this.both(at, by, (hop) => this.message(hop, to, `SIP/2.0 ${status}`, method, parts));
  }

  /** The hop does this alone. */
  only(hop: HopMessage['hop'], add: (call: HopCall) => void): this {
    const other = new HopCall(this.kind);
    add(other);
    this.messages.push(...other.messages.filter((each) => each.hop === hop));
    return this;
  }

  private both(at: number, by: Phone, write: (hop: HopMessage['hop']) => Buffer): this {
    const [first, second] = by === 'alice' ? (['outer', 'inner'] as const) : (['inner', 'outer'] as const);
    const [sender, receiver] = by === 'alice' ? [ALICE, BOB] : [BOB, ALICE];
    const [own, middle, other] = [signalling(sender), signalling(MIDDLE), signalling(receiver)];
    this.messages.push({ hop: first, at, bytes: write(first), source: own, destination: middle });
    this.messages.push({
      hop: second,
      at: at + FORWARDED_MS,
      bytes: write(second),
      source: middle,
      destination: other,
    });
    return this;
  }

  private message(hop: HopMessage['hop'], requester: Phone, start: string, method: string, parts: HopParts): Buffer {
    const { cseq = 1, body = '', headers = [] } = parts;
    const isOwn = hop === 'inner' && this.kind === 'border controller';
    const described = this.kind === 'proxy' ? body : relayed(body, hop);
    const lines = [
      start,
      ...this.vias(hop, requester, parts.branch ?? branchOf(requester, cseq, method)),
      ...partyHeaders(requester, isOwn, parts),
      'Call-ID: call-1',
      `CSeq: ${isOwn ? INNER_CSEQ + cseq : cseq} ${method}`,
      ...headers,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${Buffer.byteLength(described)}`,
    ];
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${described}`);
  }

  /** A proxy adds its own before that of the phone. */
  private vias(hop: HopMessage['hop'], requester: Phone, branch: string): readonly string[] {
    const [first, origin] = requester === 'alice' ? (['outer', ALICE] as const) : (['inner', BOB] as const);
    const ofPhone = `Via: SIP/2.0/UDP ${origin}:5060;branch=z9hG4bK-${first}-${branch}`;
    const ofEdge = `Via: SIP/2.0/UDP ${EDGE}:5060;branch=z9hG4bK-edge-${branch}`;
    const ofMiddle = `Via: SIP/2.0/UDP ${MIDDLE}:5060;branch=z9hG4bK-${hop}-${branch}`;
    if (hop === first) return this.kind === 'proxy that hides topology' ? [ofEdge, ofPhone] : [ofPhone];
    return this.kind === 'proxy' || this.kind === 'relaying proxy' ? [ofMiddle, ofPhone] : [ofMiddle];
  }
}

/** An ACK and a CANCEL have the branch of their INVITE (RFC 3261, 9.1 and 17.1.1.3). */
function branchOf(requester: Phone, cseq: number, method: string): string {
  return `${requester}${cseq}${method === 'ACK' || method === 'CANCEL' ? 'INVITE' : method}`;
}

function partyHeaders(
  requester: Phone,
  isOwn: boolean,
  { isFirst = false, device = 'b' }: HopParts,
): readonly string[] {
  const alice = `<sip:alice@example.test>;tag=${isOwn ? 'x1' : 'a1'}`;
  const bob = `<sip:bob@example.test>${isFirst ? '' : `;tag=${isOwn ? `y-${device}` : device}`}`;
  return requester === 'alice' ? [`From: ${alice}`, `To: ${bob}`] : [`From: ${bob}`, `To: ${alice}`];
}

/** A border controller writes an address of its own towards each phone. */
function relayed(body: string, hop: HopMessage['hop']): string {
  return hop === 'inner' ? body.replaceAll(ALICE, MIDDLE) : body.replaceAll(BOB, MIDDLE);
}

function signalling(ip: string): TransportAddress {
  return { ip, port: 5_060 };
}
