import { createHash } from 'node:crypto';
import type { CallMessage, CapturePoint, StoredMessage } from './call-message.js';

const ID_DIGITS = 24;
/** Captures of one message are not further apart, in microseconds: clocks that differ by more are reported long before. */
const APART = 600_000_000;

/**
 * The messages of a call in the order of their times, each once. Several points may capture the same message: the same bytes between
 * the same addresses. A point that captured it twice has seen a retransmission, which is a message of its own: the first one
 * of each point is the first message, the second one the second. Clocks of points may differ by minutes, so nearer times decide nothing.
 */
export function mergeCaptures(captures: readonly StoredMessage[]): readonly CallMessage[] {
  const sorted = captures.toSorted((a, b) => a.at - b.at);
  const seen = new Map<string, number>();
  const merged = new Map<string, { readonly first: StoredMessage; readonly points: CapturePoint[] }>();
  for (const capture of sorted) {
    const { frontEnd, point, at } = capture;
    const packet = packetOf(capture);
    const atPoint = JSON.stringify([packet, frontEnd, point]);
    let number = seen.get(atPoint) ?? 0;
    while (at - (merged.get(idOf(packet, number))?.first.at ?? at) > APART) number++;
    seen.set(atPoint, number + 1);
    const id = idOf(packet, number);
    const known = merged.get(id) ?? { first: capture, points: [] };
    merged.set(id, known);
    known.points.push({ frontEnd, name: point === '' ? null : point, at });
  }
  return [...merged].map(([id, { first, points }]) => {
    const { callId, at, source, destination, content, payload } = first;
    return { id, callId, at, source, destination, content, payload, points };
  });
}

function idOf(packet: string, number: number): string {
  return createHash('sha256').update(`${packet} ${number}`).digest('hex').slice(0, ID_DIGITS);
}

function packetOf({ callId, source, destination, payload }: StoredMessage): string {
  const bytes = createHash('sha256').update(payload).digest('base64');
  return JSON.stringify([callId.toLowerCase(), source.ip, source.port, destination.ip, destination.port, bytes]);
}
