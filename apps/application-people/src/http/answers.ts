import type { Resource, ResourceWriter } from '@ringdown/hypermedia';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Starts an answer: throws at once when the client accepts none of our forms, so that nothing has been changed by then,
 * and returns what writes the resource.
 */
export function startAnswer(
  writer: ResourceWriter,
  request: FastifyRequest,
  reply: FastifyReply,
): (resource: Resource) => Buffer {
  const write = writer.for(request.headers.accept);
  return (resource) => {
    const { contentType, body } = write(resource);
    void reply.headers({ 'content-type': contentType, 'cache-control': 'no-cache', vary: 'accept' });
    // As bytes: to text, Fastify would add a charset.
    return Buffer.from(body);
  };
}
