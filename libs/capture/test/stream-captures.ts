import { AT, CALLEE, CALLEE6, CALLER, CALLER6, type GeneratedCapture } from './generated-capture.js';
import { request, response, sdp } from './sip-messages.js';
import { FIN, ip, SYN, tcp, udp } from './write-pcap.js';
import { dataChunk, sctp, UPGRADE_REQUEST, UPGRADE_RESPONSE, webSocketFrame } from './write-streams.js';

/** Captures of SIP over TCP, WebSocket and SCTP, of fragments, and of packets that are not there or not whole. */
const INVITE = request('INVITE', { body: sdp(CALLER.ip, 4_000) });
const BUSY = response('486 Busy Here', 'INVITE');
const RAW = 101;
const [PHONE, WEB] = [
  { ip: CALLER.ip, port: 50_000 },
  { ip: CALLEE.ip, port: 80 },
];

function capture(name: string, packets: readonly Buffer[], more: Partial<GeneratedCapture> = {}): GeneratedCapture {
  const frames = packets.map((bytes, n) => ({ at: AT + n * 250, bytes }));
  return { name, linkType: RAW, frames, messages: 3, notRead: [], ...more };
}

function options(count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => request('OPTIONS', { cseq: n + 1 }));
}

/** One direction of a connection, from its SYN on. */
function segments(pieces: readonly Buffer[], [from, to] = [CALLER, CALLEE], first = 1_000): Buffer[] {
  let sequence = first;
  const data = pieces.map((piece) => {
    const segment = tcp(from, to, { sequence }, piece);
    sequence += piece.length;
    return segment;
  });
  return [tcp(from, to, { sequence: first - 1, flags: SYN }), ...data];
}

function without<Item>(items: readonly Item[], index: number): Item[] {
  return items.filter((_item, n) => n !== index);
}

function fragments(version: 4 | 6): Buffer[] {
  const [from, to] = version === 4 ? [CALLER, CALLEE] : [CALLER6, CALLEE6];
  const datagram = udp(from, to, INVITE).subarray(version === 4 ? 20 : 40);
  return [0, 160, 320].map((offset) => {
    const end = offset === 320 ? datagram.length : offset + 160;
    return ip(from, to, 17, datagram.subarray(offset, end), { offset, more: end < datagram.length });
  });
}

const whole = Buffer.concat(options(3));
/** After the three messages, the last of which it overtakes. */
const END = tcp(CALLER, CALLEE, { sequence: 1_000 + whole.length, flags: FIN });
const tcpCaptures = [
  capture('TCP', segments(options(3))),
  capture(
    'TCP with messages across segments',
    segments([whole.subarray(0, 100), whole.subarray(100, 400), whole.subarray(400)]),
  ),
  capture('TCP with several messages in a segment', segments([whole])),
  capture(
    'TCP with its end out of order',
    [0, 1, 2, 4, 3].flatMap((n) => [...segments(options(3)), END][n] ?? []),
  ),
  capture(
    'TCP out of order',
    [0, 1, 3, 2].flatMap((n) => segments(options(3))[n] ?? []),
  ),
  capture(
    'TCP captured twice',
    segments(cut(whole, [300])).flatMap((packet) => [packet, packet]),
  ),
  capture(
    'TCP with a late second SYN',
    [0, 1, 0, 2, 3].flatMap((n) => segments(cut(whole, [300]))[n] ?? []),
  ),
  capture(
    'TCP sent again',
    [0, 1, 2, 2, 1, 3].flatMap((n) => segments(options(3))[n] ?? []),
  ),
  capture('TCP with a lost message', without(segments(options(4)), 2), {
    notRead: ['1 gap in connections with SIP: segments were not captured'],
    hasLostSegments: true,
  }),
  capture('TCP, lost in the middle of a message', lostInTheMiddle(), {
    notRead: ['1 gap in connections with SIP: segments were not captured'],
    differs: 'tshark continues with the next segment that begins with a message',
  }),
];

/** The end of the second message is lost, and the third begins in the middle of a segment. */
function lostInTheMiddle(): Buffer[] {
  const [first = Buffer.alloc(0), second = Buffer.alloc(0), third = Buffer.alloc(0), fourth = Buffer.alloc(0)] =
    options(4);
  const rest = Buffer.concat([second.subarray(200), third]);
  return without(segments([first, second.subarray(0, 100), second.subarray(100, 200), rest, fourth]), 3);
}

const answers = [UPGRADE_RESPONSE, webSocketFrame(BUSY), webSocketFrame(BUSY, { bits: 64 })];
const asks = [UPGRADE_REQUEST, webSocketFrame(INVITE, { mask: 0x12_34_56_78 })];
const half = Math.ceil(INVITE.length / 2);
const fragmented = [
  webSocketFrame(INVITE.subarray(0, half), { mask: 0xa1_b2_c3_d4, isLast: false }),
  webSocketFrame(Buffer.from('ping'), { opcode: 9, mask: 1 }),
  webSocketFrame(INVITE.subarray(half), { opcode: 0, mask: 0x0b_0c_0d_0e }),
];
const webSocketCaptures = [
  capture('WebSocket', interleaved(segments(asks, [PHONE, WEB]), segments(answers, [WEB, PHONE]))),
  capture(
    'WebSocket with fragments',
    interleaved(segments([UPGRADE_REQUEST, ...fragmented], [PHONE, WEB]), segments([UPGRADE_RESPONSE], [WEB, PHONE])),
    { messages: 1 },
  ),
  capture('WebSocket from the middle', segments(asks, [PHONE, WEB]).slice(2), {
    messages: 1,
    differs: 'tshark does not look for frames without the upgrade',
  }),
  capture(
    'compressed WebSocket',
    interleaved(
      segments([UPGRADE_REQUEST, webSocketFrame(Buffer.from('zz'), { mask: 5, isCompressed: true })], [PHONE, WEB]),
      segments([UPGRADE_RESPONSE], [WEB, PHONE]),
    ),
    {
      messages: 0,
      notRead: ['1 packet in compressed WebSocket was not read'],
    },
  ),
];

function interleaved(one: readonly Buffer[], other: readonly Buffer[]): Buffer[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, n) => [one[n], other[n]])
    .flat()
    .filter((packet) => packet !== undefined);
}

const parts = [INVITE.subarray(0, 100), INVITE.subarray(100, 300), INVITE.subarray(300)].map((part, n) =>
  dataChunk(part, { sequence: (0xff_ff_ff_ff + n) >>> 0, isFirst: n === 0, isLast: n === 2 }),
);
const sctpCaptures = [
  capture('SCTP', [
    sctp(CALLER, CALLEE, dataChunk(INVITE, { sequence: 1 })),
    sctp(CALLEE, CALLER, dataChunk(BUSY, { sequence: 9 }), dataChunk(response('200 OK', 'OPTIONS'), { sequence: 10 })),
  ]),
  capture(
    'SCTP with parts',
    parts.map((part) => sctp(CALLER, CALLEE, part)),
    { messages: 1 },
  ),
];

const tooLong = udp(CALLER, CALLEE, INVITE);
const otherCaptures = [
  capture('fragments', fragments(4), { messages: 1 }),
  capture('fragments of IPv6 out of order', fragments(6).toReversed(), { messages: 1 }),
  capture('fragments, one of them lost', without(fragments(4), 1), {
    messages: 0,
    notRead: ['1 packet is incomplete: not all fragments were captured'],
  }),
  capture('cut by the snap length', [], {
    frames: [{ at: AT, bytes: tooLong.subarray(0, 400), length: tooLong.length }],
    messages: 1,
    notRead: ['1 SIP message was cut by the snap length'],
    differs: 'tshark lists no headers of a cut message',
  }),
];

export const STREAM_CAPTURES: readonly GeneratedCapture[] = [
  ...tcpCaptures,
  ...webSocketCaptures,
  ...sctpCaptures,
  ...otherCaptures,
];

export interface Shuffle {
  /** From which the connection comes: each has its own. */
  readonly port: number;
  /** Lengths of the segments. */
  readonly lengths: readonly number[];
  /** The segments that change places with the next one. */
  readonly swapped: readonly number[];
  /** The segments that are sent again. */
  readonly repeated: readonly number[];
}

/** A connection with six messages, whatever its segments. */
export function shuffledConnection({ port, lengths, swapped, repeated }: Shuffle): GeneratedCapture {
  const [begin, ...data] = segments(cut(Buffer.concat(options(6)), lengths), [{ ...CALLER, port }, CALLEE]);
  for (const index of swapped) {
    const at = index % data.length;
    data.splice(at, 2, ...data.slice(at, at + 2).toReversed());
  }
  const again = repeated.flatMap((index) => data[index % data.length] ?? []);
  const packets = [begin, ...data, ...again].filter((packet) => packet !== undefined);
  return capture(`segments of ${lengths.join(', ')} bytes`, packets, { messages: 6 });
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let [at, n] = [0, 0]; at < bytes.length; n++) {
    const length = lengths[n % lengths.length] ?? bytes.length;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
