import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Fault } from '../errors.js';

export interface BodyPace {
  /** How many bytes must arrive in each period. */
  readonly bytes: number;
  readonly periodMs: number;
}

/** 16 KiB a second: the slowest line over which a large file is worth sending. */
const SLOWEST: BodyPace = { bytes: 480 * 1_024, periodMs: 30_000 };

const paced = new WeakSet<Socket>();

/** Whether a body is read from it that may take longer than other requests, because its pace is checked. */
export function isPaced(socket: Socket): boolean {
  return paced.has(socket);
}

/**
 * The chunks of a body that may take as long as it needs while it arrives at this pace. Throws {@link Fault} `timeout` if it is
 * slower, `unreadable-body` if it is cut off. The stream stays open, so that the answer can be sent.
 */
export async function* pacedChunks(body: Readable, pace = SLOWEST): AsyncGenerator<Buffer> {
  const socket = body instanceof IncomingMessage ? body.socket : undefined;
  const late = Promise.withResolvers<'late'>();
  let arrived = 0;
  const timer = setInterval(() => {
    if (arrived < pace.bytes) late.resolve('late');
    arrived = 0;
  }, pace.periodMs);
  if (socket) paced.add(socket);
  try {
    for (const chunks: AsyncIterator<unknown> = body.iterator({ destroyOnReturn: false }); ;) {
      const next = await Promise.race([chunks.next().catch(unreadable), late.promise]);
      if (next === 'late') throw new Fault('timeout');
      if (next.done) return;
      if (!Buffer.isBuffer(next.value)) continue;
      arrived += next.value.length;
      yield next.value;
    }
  } finally {
    clearInterval(timer);
    if (socket) paced.delete(socket);
  }
}

function unreadable(cause: unknown): never {
  throw new Fault('unreadable-body', { cause });
}
