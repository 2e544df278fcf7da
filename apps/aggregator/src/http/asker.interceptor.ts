import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { requestPrincipal } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { Observable } from 'rxjs';
import { askedBy } from '../store/database/asker.js';

/** What a request reads counts as read by its user. */
@Injectable()
export class AskedByUser implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { username } = requestPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
    return new Observable((subscriber) => askedBy(username, () => next.handle().subscribe(subscriber)));
  }
}
