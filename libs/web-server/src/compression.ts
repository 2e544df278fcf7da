import type { FastifyInstance, FastifyReply } from 'fastify';
import { constants, gzip, gzipSync } from 'node:zlib';

const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;
/** Answers are small and many: the fastest level saves nearly as much as the others. */
const OPTIONS = { level: constants.Z_BEST_SPEED };
/** Bytes up to which compressing takes less time than handing the work to a thread, where passwords may be queueing. */
const SMALL = 64 * 1024;

/**
 * Sends texts compressed to clients that ask for it (web-interface.md, section 15a). What nobody may keep goes as it is:
 * it may hold a secret, whose length must tell nothing.
 */
export function compressAnswers(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload: unknown, done) => {
    const packs = acceptsGzip(request.headers['accept-encoding']);
    if (packs && reply.statusCode === 304) weakenEtag(reply);
    const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (!Buffer.isBuffer(body) || body.length === 0 || !isCompressible(reply)) return done(null, payload);
    vary(reply, 'accept-encoding');
    if (!packs) return done(null, payload);
    weakenEtag(reply);
    const finish = (error: Error | null, compressed: Buffer): void => {
      if (error !== null) return done(error);
      void reply.headers({ 'content-encoding': 'gzip', 'content-length': compressed.length });
      done(null, compressed);
    };
    if (body.length > SMALL) gzip(body, OPTIONS, finish);
    else finish(null, gzipSync(body, OPTIONS));
  });
}

/** Adds a field to those by which an answer differs. */
export function vary(reply: FastifyReply, field: string): void {
  const known = String(reply.getHeader('vary') ?? '');
  if (known === '') void reply.header('vary', field);
  else if (!known.split(', ').includes(field)) void reply.header('vary', `${known}, ${field}`);
}

/** A strong tag names bytes, and these are others than those of the plain answer (RFC 9110, section 8.8.1). */
function weakenEtag(reply: FastifyReply): void {
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && etag.startsWith('"')) void reply.header('etag', `W/${etag}`);
}

function isCompressible(reply: FastifyReply): boolean {
  if (reply.hasHeader('content-encoding')) return false;
  if (String(reply.getHeader('cache-control') ?? '').includes('no-store')) return false;
  return TEXT.test(String(reply.getHeader('content-type') ?? ''));
}

/** RFC 9110, section 12.5.3: named or meant by `*`, and not with a weight of nought. */
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
