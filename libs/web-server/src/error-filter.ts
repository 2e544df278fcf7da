import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Logger } from '@ringdown/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isNativeError } from 'node:util/types';
import { Fault, InterfaceError, type ErrorDetails, type ErrorStyle, type FaultKind } from './errors.js';
import type { AllowedMethods } from './allowed-methods.js';
import { vary } from './compression.js';
import { loggedPath } from './logged-path.js';
import { markApiAnswer } from './no-store.js';
import { urlPath } from './profile-paths.js';

export interface ErrorFilterOptions {
  readonly styles: readonly ErrorStyle[];
  readonly logger: Logger;
  readonly allowedMethods: AllowedMethods;
}

/** The one place that turns a thrown value into a response. The client never sees details of an unexpected error. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly options: ErrorFilterOptions) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw thrown;
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const style = styleFor(this.options.styles, request.url);
    const error = this.asInterfaceError(thrown, request, style);
    if (error.row.status >= 500) this.log(error, thrown, request);
    if (reply.sent || reply.raw.headersSent) return void reply.raw.destroy();
    const { contentType, body } = style.render(error, request);
    markApiAnswer(request, reply);
    if (style.variesBy !== undefined) vary(reply, style.variesBy);
    void reply
      .status(error.row.status)
      .headers(error.details.headers ?? {})
      .header('content-type', contentType)
      // As bytes, so that Fastify does not change the content type of the interface.
      .send(Buffer.from(body));
  }

  private asInterfaceError(thrown: unknown, request: FastifyRequest, style: ErrorStyle): InterfaceError {
    if (thrown instanceof InterfaceError) return thrown;
    const fault = thrown instanceof Fault ? thrown : thrownFault(thrown);
    if (fault.kind !== 'not-found') return new InterfaceError(style.faults[fault.kind], fault.details);
    const allowed = this.options.allowedMethods.of(request.url);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return new InterfaceError(style.faults['not-found'], fault.details);
    }
    const details: ErrorDetails = {
      message: `${request.method} is not allowed here; allowed: ${allowed.join(', ')}`,
      headers: { allow: allowed.join(', ') },
    };
    return new InterfaceError(style.faults['method-not-allowed'], details);
  }

  private log(error: InterfaceError, thrown: unknown, request: FastifyRequest): void {
    const at = { requestId: request.id, method: request.method, path: loggedPath(request) };
    const { cause } = error.details;
    const causeMessage = cause instanceof Error ? cause.message : undefined;
    if (error.row.status === 503)
      this.options.logger.warn({ ...at, reason: error.message, causeMessage: causeMessage }, 'responded with 503');
    else this.options.logger.error({ ...at, err: error.details.cause ?? thrown }, 'request failed');
  }
}

export function styleFor(styles: readonly ErrorStyle[], url: string): ErrorStyle {
  const path = urlPath(url).toLowerCase();
  const best = styles
    .filter((style) => path.startsWith(style.prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
  if (best === undefined) throw new Error('every listener needs an error style with the prefix "/"');
  return best;
}

const byStatus: Readonly<Record<number, FaultKind>> = {
  400: 'malformed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  408: 'timeout',
  413: 'too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  501: 'not-implemented',
  503: 'unavailable',
};

/** Errors of Fastify and Nest have a status; all others are errors of ours. */
function thrownFault(thrown: unknown): Fault {
  const status = thrownStatus(thrown);
  const kind = status === undefined ? undefined : (byStatus[status] ?? (status < 500 ? 'malformed' : 'internal'));
  if (kind === undefined || kind === 'internal') return new Fault('internal', { cause: thrown });
  return new Fault(kind, { cause: thrown, ...retryAfterOf(thrown) });
}

/** Errors of our own libraries may contain the time after which to retry. */
function retryAfterOf(thrown: unknown): Pick<ErrorDetails, 'headers'> {
  const hasRetryAfter = isNativeError(thrown) && 'retryAfterSeconds' in thrown;
  return hasRetryAfter ? { headers: { 'retry-after': String(thrown.retryAfterSeconds) } } : {};
}

function thrownStatus(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  // By shape: errors of Fastify are not native ones.
  if (
    typeof thrown === 'object' &&
    thrown !== null &&
    'statusCode' in thrown &&
    typeof thrown.statusCode === 'number'
  ) {
    return thrown.statusCode;
  }
  return undefined;
}
