import {
  Inject,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ResourceWriter, type Resource } from '@ringdown/hypermedia';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { startAnswer } from './answers.js';

/** Between a request and its handler: nothing is done for a client that could not read what comes of it. */
@Injectable()
class ResourceAnswer implements NestInterceptor<Resource, Buffer> {
  constructor(@Inject(ResourceWriter) private readonly writer: ResourceWriter) {}

  intercept(context: ExecutionContext, next: CallHandler<Resource>): Observable<Buffer> {
    const http = context.switchToHttp();
    const answer = startAnswer(this.writer, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
    return next.handle().pipe(map(answer));
  }
}

/**
 * For routes, or controllers of nothing else, that return a resource: it is written in the form that the client accepts, or
 * not at all, with 304, for a client that has it already. A client that accepts none of our forms is told so before the
 * handler runs.
 */
export const AnswersResource = (): ClassDecorator & MethodDecorator => UseInterceptors(ResourceAnswer);
