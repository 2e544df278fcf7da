import type { Readable } from 'node:stream';

/**
 * Bytes read and discarded beyond the limit, so that the sender finishes and reads the answer. A connection that is
 * closed while its peer still sends is reset, and the answer is lost: a proxy in between converts that to a 502.
 */
const DISCARD_LIMIT = 16_000_000;

/** What was read is enough to see what it was. `finished`: the sender has nothing more to send. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
  readonly statusCode = 413;

  constructor(
    readonly start: Uint8Array,
    readonly finished: boolean,
  ) {
    super('the body is larger than allowed');
  }
}

/** The connection ended before the body did: no client is left to answer. */
export class BodyCutOff extends Error {
  override readonly name = 'BodyCutOff';
  readonly statusCode = 400;
}

/** Reads a whole body of at most `limit` bytes, whether its length is announced or not. */
export function readBody(stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      if (length <= limit) chunks.push(chunk);
      length += chunk.length;
      if (length <= limit + DISCARD_LIMIT) return;
      stream.off('data', take);
      reject(new BodyTooLarge(Buffer.concat(chunks), false));
    };
    const finish = (): void => {
      const [first, second] = chunks;
      // Most bodies of records come in one piece, which needs no copy.
      const body = first === undefined || second !== undefined ? Buffer.concat(chunks) : first;
      if (length > limit) reject(new BodyTooLarge(body, true));
      else resolve(body);
    };
    // Events after the end or a rejection change nothing; removing the listeners costs more than keeping them.
    const cutOff = (error?: Error): void => {
      if (!stream.readableEnded) reject(new BodyCutOff('the connection ended', { cause: error }));
    };
    stream.on('data', take).on('end', finish).on('close', cutOff).on('error', cutOff);
  });
}
