import { createHash } from 'node:crypto';
import type { CallMessage, CapturePoint, StoredMessage } from './call-message.js';

const ID_DIGITS = 24;
/** Captures of one message are not further apart, in microseconds: clocks that differ by more are reported long before. */
const APART = 600_000_000;

/** A message that was sent once. */
interface Sent {
  readonly id: string;
  readonly first: StoredMessage;
  readonly points: CapturePoint[];
}

/** The same bytes between the same addresses. */
interface Packet {
  /** In the order of their times. */
  readonly sent: Sent[];
  /** The index of the first one that is not too long ago. */
  current: number;
  /** How many each point has captured or missed. */
  readonly seen: Map<string, number>;
}

/**
 * The messages of a call in the order of their times, each once. Several points may capture the same message: the same bytes between
 * the same addresses. A point that captured it twice has seen a retransmission, which is a message of its own: the first one
 * of each point is the first message, the second one the second. Clocks of points may differ by minutes, so nearer times decide nothing.
 */
export function mergeCaptures(captures: readonly StoredMessage[]): readonly CallMessage[] {
  const sorted = captures.toSorted((a, b) => a.at - b.at);
  const packets = new Map<string, Packet>();
  const merged: Sent[] = [];
  for (const capture of sorted) {
    const { frontEnd, point, at } = capture;
    const key = packetKey(capture);
    const packet: Packet = packets.get(key) ?? { sent: [], current: 0, seen: new Map() };
    packets.set(key, packet);
    const number = repeatNumber(packet, JSON.stringify([frontEnd, point]), at);
    const sent = packet.sent[number] ?? { id: repeatId(key, number), first: capture, points: [] };
    if (number === packet.sent.length) {
      packet.sent.push(sent);
      merged.push(sent);
    }
    sent.points.push({ frontEnd, name: point === '' ? null : point, at });
  }
  return merged.map(({ id, first, points }) => {
    const { callId, at, source, destination, content, payload } = first;
    return { id, callId, at, source, destination, content, payload, points };
  });
}

/** Of the capture at `at` by a point, which comes after all earlier ones. */
function repeatNumber(packet: Packet, point: string, at: number): number {
  const { sent, seen } = packet;
  // Those that were passed are too far away for all later captures as well, so each is passed once.
  while (at - (sent[packet.current]?.first.at ?? at) > APART) packet.current++;
  const number = Math.max(seen.get(point) ?? 0, packet.current);
  seen.set(point, number + 1);
  return number;
}

function repeatId(packet: string, number: number): string {
  return createHash('sha256').update(`${packet} ${number}`).digest('hex').slice(0, ID_DIGITS);
}

function packetKey({ callId, source, destination, payload }: StoredMessage): string {
  const bytes = createHash('sha256').update(payload).digest('base64');
  return JSON.stringify([callId.toLowerCase(), source.ip, source.port, destination.ip, destination.port, bytes]);
}
