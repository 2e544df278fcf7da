import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { closableConnections, connectionTimes, listenOn, type ConnectionLimits } from '@ringdown/node-http';
import { answerConnect, answerExpectations, hostCheckedLater } from '@ringdown/node-http/requests';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { pathAndQuery, urlPath } from './profile-paths.js';
import { Fault } from './errors.js';
import { spellingResponse } from './header-case.js';
import { connectAnswer, expectationAnswer } from './problem-json.js';
import type { PublicOrigins } from './public-origins.js';

/**
 * Whether a request came without encryption although it should not: to a listener with a certificate, or to an edge
 * that reports the protocol. A plain request to a listener without either comes from an edge that does not report it.
 */
export function isPlain(request: FastifyRequest, hasCertificate: boolean): boolean {
  if (request.protocol !== 'http') return false;
  // A part of a batch has no connection of its own: the connection of the batch was checked before.
  if (!(request.socket instanceof Socket)) return false;
  return hasCertificate || request.headers['x-forwarded-proto'] === 'http';
}

/**
 * Clients may begin over plain HTTP, as every link in the discovery document leads to HTTPS; other requests are
 * redirected there (web-interface.md, section 1). True when the response was sent. Throws {@link Fault} `forbidden` for
 * requests that may already have revealed a secret.
 */
export function sentToHttps(request: FastifyRequest, reply: FastifyReply, publicOrigins: PublicOrigins): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Fault('forbidden', { message: 'This is available over HTTPS only.' });
  }
  if (urlPath(request.url) === '/') return false;
  const location = publicOrigins.forHost(request.host) + pathAndQuery(request.originalUrl);
  void reply.status(301).headers({ location, 'cache-control': 'no-cache' }).send();
  return true;
}

export interface PlainOptions {
  readonly limits: ConnectionLimits;
  /** Answers requests of another kind, whatever their host is; false: it was not one. */
  readonly answered?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export interface PlainServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Opens a plain HTTP port in addition to the listener of an application with a certificate; returns the function that
 * closes it.
 */
export async function listenPlain(
  app: NestFastifyApplication,
  web: WebNames,
  port: number,
  host: string,
  { limits, answered = () => false }: PlainOptions,
): Promise<PlainServer> {
  const fastify = app.getHttpAdapter().getInstance();
  const options = { ...hostCheckedLater, ...connectionTimes, ServerResponse: spellingResponse(web) };
  const server = createServer(options, (request, response) => {
    if (!answered(request, response)) fastify.routing(request, response);
  });
  answerExpectations(server, expectationAnswer);
  answerConnect(server, () => connectAnswer);
  limits.follow(server);
  const closeConnections = closableConnections(server);
  return {
    port: await listenOn(server, port, host),
    close: async () => {
      const closed = once(server.close(), 'close');
      closeConnections();
      await closed;
    },
  };
}
