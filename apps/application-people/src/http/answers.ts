import type { Resource, ResourceWriter } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';

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

/** Gives back the headers by which clients find their way (spec, row 6; web-interface.md, section 9), on errors as well. */
export function echoHeaders(
  web: WebNames,
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const echoed = [`${web.headerPrefix}Namespace`, 'client-request-id'];
  return (request, response, next) => {
    for (const name of echoed) {
      const value = request.headers[name.toLowerCase()];
      if (typeof value === 'string' && value.length <= MAX_ECHO) response.setHeader(name, value);
    }
    next();
  };
}

const MAX_ECHO = 200;
