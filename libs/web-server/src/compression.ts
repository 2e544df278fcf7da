import type { FastifyInstance, FastifyReply } from 'fastify';
import { constants, gzip, gzipSync } from 'node:zlib';

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;
/** Responses are small and many: the fastest level saves nearly as much as the others. */
const OPTIONS = { level: constants.Z_BEST_SPEED };
/** Of most resources: with less memory to prepare, compressing them takes a quarter less time; the size is the same. */
const FEW = { ...OPTIONS, windowBits: 12, memLevel: 4, chunkSize: 4_096 };
/** Bytes in which a window of {@link FEW} finds all repetitions. */
const FEW_BYTES = 4_096;
/** Bytes up to which compressing takes less time than passing the work to a thread, where passwords may be queued. */
const SMALL = 64 * 1024;

/**
 * Sends texts compressed to clients that accept it, of any length, as the deployed server does (web-interface.md,
 * section 13). A response with `no-store` is not compressed: it may contain a secret, and its length must not reveal
 * anything about it. A text that may be answered with 304 needs a weak entity tag to begin with: the tag of a 304 is
 * that of the 200, which may be compressed or not.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(body) || body.length === 0 || !isCompressible(reply)) return done(null, payload);
    vary(reply, 'accept-encoding');
    if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
    weakenEtag(reply);
    const finish = (error: Error | null, compressed: Buffer): void => {
      if (error !== null) return done(error);
      void reply.headers({ 'content-encoding': 'gzip', 'content-length': compressed.length });
      done(null, compressed);
    };
    if (body.length > SMALL) gzip(body, OPTIONS, finish);
    else finish(null, gzipSync(body, body.length > FEW_BYTES ? OPTIONS : FEW));
  });
}

/** Adds a header to those on which the response depends. */
export function vary(reply: FastifyReply, field: string): void {
  const known = String(reply.getHeader('vary') ?? '');
  if (known === '') void reply.header('vary', field);
  else if (!known.split(', ').includes(field)) void reply.header('vary', `${known}, ${field}`);
}

/** A strong tag identifies bytes, and compressed bytes differ from the plain ones (RFC 9110, section 8.8.1). */
function weakenEtag(reply: FastifyReply): void {
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && etag.startsWith('"')) void reply.header('etag', `W/${etag}`);
}

function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader('content-encoding')) return false;
  if (String(reply.getHeader('cache-control') ?? '').includes('no-store')) return false;
  return TEXT.test(String(reply.getHeader('content-type') ?? ''));
}

/** RFC 9110, section 12.5.3: listed or matched by `*`, and not with a weight of zero. */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  const codings = new Map<string, number>();
  for (const item of String(header).split(',', 20)) {
    const [name = '', weight] = item
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    codings.set(name === 'x-gzip' ? 'gzip' : name, Number(/^q=([\d.]+)$/.exec(weight ?? '')?.[1] ?? 1));
  }
  return (codings.get('gzip') ?? codings.get('*') ?? 0) > 0;
}
