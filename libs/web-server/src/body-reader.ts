import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { connectionTimes, continueSending, isWaiting, lingerAtEnd, readBody } from '@ringdown/node-http';
import { Socket } from 'node:net';
import { Fault } from './errors.js';

const LIMIT = 'ringdown:body-limit';
/** A rest of up to so many bytes is read away, so that its connection stays good. */
const MAX_DISCARDED = 256 * 1024;

/** The largest body, in bytes, that a controller or route takes, where that is less than elsewhere. */
export const BodyLimit = (bytes: number): ClassDecorator & MethodDecorator => SetMetadata(LIMIT, bytes);

/**
 * Reads the bodies of requests once the guards of their routes have let them pass: what nobody with a token has sent takes no memory.
 * Bodies stay bytes: which types are read, and how, is the business of each interface.
 */
export class BodyReader implements NestInterceptor {
  private readonly reflector = new Reflector();

  constructor(private readonly limit: number) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (takesBody(request)) {
      const own = this.reflector.getAllAndOverride<number | undefined>(LIMIT, [
        context.getHandler(),
        context.getClass(),
      ]);
      request.body = await readPlainBody(request, own ?? this.limit);
    }
    return next.handle();
  }
}

/** What is answered over a body that nobody has read must not be lost in the reset of a connection: see {@link lingerAtEnd}. */
export function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.socket instanceof Socket && !raw.complete && (isWaiting(raw) || announced(request) > MAX_DISCARDED)) {
      void reply.header('connection', 'close');
      lingerAtEnd(raw.socket, connectionTimes.requestTimeout);
    }
    done(null, payload);
  });
}

async function readPlainBody(request: FastifyRequest, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new Fault('unsupported-media-type', {
      message: 'The body must not be compressed.',
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const length = announced(request);
  if (Number.isFinite(length) && length > limit) throw new Fault('too-large');
  continueSending(request.raw);
  return readBody(request.raw, limit);
}

/** The length of the body: nothing without one, without bounds while it comes in pieces. */
function announced({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function takesBody(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && announced(request) > 0;
}
