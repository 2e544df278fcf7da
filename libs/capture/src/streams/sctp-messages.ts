import type { NotRead } from '../not-read.js';
import { detached } from '../packet/detached.js';
import { isSip } from './sip-stream.js';
import { dataChunks, type DataChunk } from './sctp-chunks.js';

interface Direction {
  /** Chunks of incomplete messages, by their transmission sequence number. */
  readonly waiting: Map<number, DataChunk>;
  /** Numbers of the latest chunks: a chunk is sent again until it is acknowledged. */
  readonly seen: Set<number>;
}

const MOST_DIRECTIONS = 1_024;
const MOST_WAITING = 64;
const MOST_SEEN = 256;
const MESSAGE_LIMIT = 98_304;

/** Reassembles the SIP messages in SCTP associations (RFC 4168): one in each user message. Bounded. */
export class SctpMessages {
  private readonly directions = new Map<string, Direction>();

  constructor(private readonly notRead: NotRead) {}

  /** `key`: identifies the direction. `packet`: with its header. */
  *add(key: string, packet: Buffer): Generator<Buffer> {
    const chunks = dataChunks(packet);
    if (chunks.length === 0) return;
    const direction = this.directionOf(key);
    for (const chunk of chunks) {
      if (direction.seen.has(chunk.sequence)) continue;
      remember(direction.seen, chunk.sequence);
      const message = this.messageWith(direction, chunk);
      if (message && isSip(message)) yield message;
    }
  }

  /** Counts the messages that stay incomplete. */
  end(): void {
    for (const { waiting } of this.directions.values()) this.countIncomplete(waiting.values());
    this.directions.clear();
  }

  private directionOf(key: string): Direction {
    const direction = this.directions.get(key) ?? { waiting: new Map<number, DataChunk>(), seen: new Set<number>() };
    this.directions.delete(key);
    this.directions.set(key, direction);
    if (this.directions.size > MOST_DIRECTIONS) this.dropOldest();
    return direction;
  }

  private messageWith({ waiting }: Direction, chunk: DataChunk): Buffer | undefined {
    if (chunk.missing > 0) return this.cut(chunk);
    if (chunk.isFirst && chunk.isLast) return chunk.payload;
    waiting.set(chunk.sequence, { ...chunk, payload: detached(chunk.payload) });
    const whole = wholeMessage(waiting, chunk);
    if (whole) {
      for (const { sequence } of whole) waiting.delete(sequence);
      return Buffer.concat(whole.map(({ payload }) => payload));
    }
    if (waiting.size > MOST_WAITING) {
      this.countIncomplete(waiting.values());
      waiting.clear();
    }
    return undefined;
  }

  private cut({ isFirst, payload }: DataChunk): Buffer | undefined {
    if (!isFirst || !isSip(payload)) return undefined;
    this.notRead.cutMessages++;
    return payload;
  }

  private countIncomplete(chunks: Iterable<DataChunk>): void {
    for (const { isFirst, payload } of chunks) if (isFirst && isSip(payload)) this.notRead.gaps++;
  }

  private dropOldest(): void {
    for (const [key, { waiting }] of this.directions) {
      this.countIncomplete(waiting.values());
      this.directions.delete(key);
      return;
    }
  }
}

/** The parts of the message that this chunk belongs to, if all are there: their numbers follow each other. */
function wholeMessage(waiting: ReadonlyMap<number, DataChunk>, chunk: DataChunk): readonly DataChunk[] | undefined {
  let first: DataChunk | undefined = chunk;
  while (first && !first.isFirst) first = waiting.get((first.sequence - 1) >>> 0);
  const parts: DataChunk[] = [];
  let length = 0;
  for (let part = first; part; part = waiting.get((part.sequence + 1) >>> 0)) {
    parts.push(part);
    length += part.payload.length;
    if (part.isLast) return length <= MESSAGE_LIMIT ? parts : undefined;
  }
  return undefined;
}

function remember(seen: Set<number>, sequence: number): void {
  seen.add(sequence);
  if (seen.size <= MOST_SEEN) return;
  for (const oldest of seen) {
    seen.delete(oldest);
    return;
  }
}
