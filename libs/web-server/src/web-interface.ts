import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compressAnswers, vary } from './compression.js';
import { CrossOrigin } from './cross-origin.js';
import type { ErrorFilter } from './error-filter.js';
import { isPlain, sentToHttps } from './plain-http.js';
import type { PublicOrigins } from './public-origins.js';

/**
 * What makes a listener one of the web interface: its names on the wire, its addresses, and the origins that may call
 * it.
 */
export interface WebInterface {
  readonly web: WebNames;
  readonly publicOrigins: PublicOrigins;
  readonly allowedOrigins: readonly string[];
}

/** The longest header value that is sent back. */
const MAX_ECHO = 200;
const WEB_NAMES = 'ringdownWebNames';

/** The names on the wire of the listener that has received the request, where nothing can be injected. */
export function listenerWebNames({ server }: FastifyRequest): WebNames {
  return server.getDecorator<WebNames>(WEB_NAMES);
}

/** Adds the headers that clients expect on every response, and rejects pages of other origins. */
export function serveWebInterface(
  fastify: FastifyInstance,
  { web, publicOrigins, ...rest }: WebInterface,
  errors: ErrorFilter,
  hasCertificate: boolean,
): void {
  fastify.decorate(WEB_NAMES, web);
  const crossOrigin = new CrossOrigin({ web, publicOrigins, ...rest });
  const hostHeader = `${web.headerPrefix}Server-Fqdn`;
  const echoed = echoedHeaders(web);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header(hostHeader, publicOrigins.hostnameFor(request.host)).header(web.versionHeader, web.version);
    for (const { name, lower } of echoed) {
      const value = request.headers[lower];
      if (typeof value === 'string' && value.length <= MAX_ECHO) void reply.header(name, value);
    }
    try {
      if (isPlain(request, hasCertificate) && sentToHttps(request, reply, publicOrigins)) return;
      crossOrigin.check(request);
    } catch (error) {
      return errors.answer(error, request, reply);
    }
    void reply.headers(crossOrigin.headers(request));
    const preflight = crossOrigin.preflight(request);
    if (preflight === undefined) done();
    else void reply.code(204).headers(preflight).send();
  });
  compressAnswers(fastify);
  if (!crossOrigin.varies) return;
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    vary(reply, 'origin');
    done(null, payload);
  });
}

/** Request headers that are sent back, which clients use for routing (web-interface.md, section 9). */
function echoedHeaders(web: WebNames): readonly { readonly name: string; readonly lower: string }[] {
  const names = [`${web.headerPrefix}Namespace`, `${web.headerPrefix}Correlation-Id`, 'Client-Request-Id'];
  return names.map((name) => ({ name, lower: name.toLowerCase() }));
}
