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
    if (resource.etag !== undefined) {
      void reply.header('etag', `"${resource.etag}"`);
      const reading = request.method === 'GET' || request.method === 'HEAD';
      if (reading && matchesEtag(request.headers['if-none-match'], resource.etag)) return notModified(reply);
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

function notModified(reply: FastifyReply): Buffer {
  void reply.status(304).headers(FRESH);
  return Buffer.alloc(0);
}
