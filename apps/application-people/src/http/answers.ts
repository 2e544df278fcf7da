import { acceptedType, represent, type Representation, type Resource, type ResourceWriter } from '@ringdown/hypermedia';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from './etag.js';

/**
 * Starts an answer: throws at once when the client accepts none of our forms, so that nothing has been changed by then,
 * and returns what writes the resource; nothing, with 304, for a client that has it already.
 */
export function startAnswer(
  { web }: ResourceWriter,
  request: FastifyRequest,
  reply: FastifyReply,
): (resource: Resource) => Buffer {
  const mediaType = acceptedType(request.headers.accept, web);
  return (resource) => {
    if (resource.etag !== undefined && answersNotModified(request, reply, resource.etag)) {
      void reply.headers(FRESH);
      return Buffer.alloc(0);
    }
    return send(represent(resource, mediaType, web), reply);
  };
}

/** The bytes of an answer, with its headers set. As bytes, because to text Fastify would add a charset. */
export function send({ contentType, body }: Representation, reply: FastifyReply): Buffer {
  void reply.headers({ ...FRESH, 'content-type': contentType });
  return Buffer.from(body);
}

const FRESH = { 'cache-control': 'no-cache', vary: 'accept' };

/** Shows the entity tag; true when the client has what it names and is told so with 304 and no body. */
export function answersNotModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header('etag', `"${etag}"`);
  const reading = request.method === 'GET' || request.method === 'HEAD';
  if (!reading || !matchesEtag(request.headers['if-none-match'], etag)) return false;
  void reply.status(304);
  return true;
}
