import {
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { acceptedType, represent, ResourceWriter, type Representation, type Resource } from '@ringdown/hypermedia';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { matchesEtag } from './etag.js';

/** Runs before the handler: nothing is done for a client that could not read the response. */
@Injectable()
class ResourceAnswer implements NestInterceptor<Resource, Buffer | undefined> {
  constructor(@Inject(ResourceWriter) private readonly writer: ResourceWriter) {}

  intercept(context: ExecutionContext, next: CallHandler<Resource>): Observable<Buffer | undefined> {
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const mediaType = acceptedType(request.headers.accept, this.writer.web);
    return next.handle().pipe(
      map((resource) => {
        // Clients read it without a check, also where the body contains it (web-interface.md, section 14).
        if (reply.statusCode === 201 && !reply.hasHeader('location')) void reply.header('location', resource.href);
        if (resource.etag === undefined || !answersNotModified(request, reply, resource.etag, 'W/')) {
          return sendRepresentation(represent(resource, mediaType, this.writer.web), reply);
        }
        void reply.headers(FRESH);
        return undefined;
      }),
    );
  }
}

/**
 * For routes (or controllers with only such routes) that return a resource: it is written in the form that the client
 * accepts, or answered with 304 and no body if the client has it already. A client that accepts none of our forms is
 * rejected before the handler runs.
 */
export const AnswersResource = (): ClassDecorator & MethodDecorator => UseInterceptors(ResourceAnswer);

/** The bytes of a response, with its headers set. As bytes, because Fastify would add a charset to text. */
export function sendRepresentation({ contentType, body }: Representation, reply: FastifyReply): Buffer {
  void reply.headers({ ...FRESH, 'content-type': contentType });
  return Buffer.from(body);
}

/** A 304 has them as well (RFC 9110, section 15.4.5). */
const FRESH = { 'cache-control': 'no-cache', vary: 'accept, accept-encoding' };

/**
 * Sets the entity tag; true when the client has that version already and gets a 304 without a body. The tag is weak
 * where JSON, XML and the compressed forms of a resource share it (RFC 9110, section 8.8.1).
 */
export function answersNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  weakness: 'W/' | '' = '',
): boolean {
  void reply.header('etag', `${weakness}"${etag}"`);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || !matchesEtag(request.headers['if-none-match'], etag)) return false;
  void reply.status(304);
  return true;
}
