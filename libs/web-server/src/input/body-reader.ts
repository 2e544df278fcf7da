import { SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { connectionTimes, lingerAtEnd } from '@ringdown/node-http';
import { continueSending, isWaiting, readBody } from '@ringdown/node-http/requests';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Fault } from '../errors.js';

const LIMIT = 'ringdown:body-limit';
const STREAMED = 'ringdown:streamed-body';
/** An unread rest of up to so many bytes is read and discarded, so that the connection can be reused. */
const MAX_DISCARDED = 256 * 1024;

/** The largest body, in bytes, that a controller or route accepts, if that is less than the default. */
export const BodyLimit = (bytes: number): ClassDecorator & MethodDecorator => SetMetadata(LIMIT, bytes);

/** The handler of the route reads the body itself, with {@link openBody}. */
export const StreamedBody = (): MethodDecorator => SetMetadata(STREAMED, true);

/** The body of a request, unread. Throws {@link Fault} if it is known to be larger than `limit`. */
export function openBody(request: FastifyRequest, limit: number): IncomingMessage {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    throw new Fault('unsupported-media-type', {
      message: 'The body must not be compressed.',
      headers: { 'accept-encoding': 'identity' },
    });
  }
  const length = bodyLength(request);
  if (Number.isFinite(length) && length > limit) throw new Fault('too-large');
  continueSending(request.raw);
  return request.raw;
}

/**
 * Reads the body of a request after the guards of its route have accepted it: a body sent without a token uses no
 * memory. Bodies stay bytes: each interface decides which types it reads, and how.
 */
export class BodyReader implements NestInterceptor {
  private readonly reflector = new Reflector();

  constructor(private readonly limit: number) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (hasBody(request) && !this.reflector.get<boolean | undefined>(STREAMED, context.getHandler())) {
      const own = this.reflector.getAllAndOverride<number | undefined>(LIMIT, [
        context.getHandler(),
        context.getClass(),
      ]);
      const limit = own ?? this.limit;
      request.body = await readBody(openBody(request, limit), limit);
    }
    return next.handle();
  }
}

/**
 * A response to a request with an unread body must not be lost in the reset of the connection: see {@link lingerAtEnd}.
 */
export function leaveBodiesUnread(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null));
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { raw } = request;
    if (raw.socket instanceof Socket && !raw.complete && (isWaiting(raw) || bodyLength(request) > MAX_DISCARDED)) {
      void reply.header('connection', 'close');
      lingerAtEnd(raw.socket, connectionTimes.requestTimeout);
    }
    done(null, payload);
  });
}

/** The length of the body: 0 without a body, infinite for a chunked one. */
function bodyLength({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function hasBody(request: FastifyRequest): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && bodyLength(request) > 0;
}
