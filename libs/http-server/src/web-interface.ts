import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { compressAnswers, vary } from './compression.js';
import { CrossOrigin } from './cross-origin.js';
import type { ErrorFilter } from './error-filter.js';
import { isPlain, sentToHttps } from './plain-http.js';
import type { PublicOrigins } from './public-origins.js';

/** What makes a listener one of the web interface: its names on the wire, its addresses, and who may call from a page. */
export interface WebInterface {
  readonly web: WebNames;
  readonly publicOrigins: PublicOrigins;
  readonly allowedOrigins: readonly string[];
}

/** The longest header that is given back. */
const MAX_ECHO = 200;

/** Puts on every answer what clients expect on every answer, and turns pages of other origins away. */
export function serveWebInterface(
  fastify: FastifyInstance,
  { web, publicOrigins, ...rest }: WebInterface,
  errors: ErrorFilter,
  hasCertificate: boolean,
): void {
  const crossOrigin = new CrossOrigin({ web, publicOrigins, ...rest });
  fastify.addHook('onRequest', async (request, reply) => {
    const host = new URL(publicOrigins.forHost(request.host)).hostname;
    void reply.headers({ [`${web.headerPrefix}Server-Fqdn`]: host, [web.versionHeader]: web.version });
    void reply.headers(echoes(request, web));
    try {
      if (isPlain(request, hasCertificate) && sentToHttps(request, reply, publicOrigins)) return reply;
      crossOrigin.check(request);
    } catch (error) {
      errors.answer(error, request, reply);
      return reply;
    }
    void reply.headers(crossOrigin.headers(request));
    const preflight = crossOrigin.preflight(request);
    return preflight === undefined ? undefined : reply.code(204).headers(preflight).send();
  });
  compressAnswers(fastify);
  fastify.addHook('onSend', async (request, reply) => {
    if (crossOrigin.headers(request)['vary'] !== undefined) vary(reply, 'origin');
  });
}

/** The headers by which clients find their way, given back (spec, row 6; web-interface.md, section 9). */
function echoes(request: FastifyRequest, web: WebNames): Record<string, string> {
  const names = [`${web.headerPrefix}Namespace`, `${web.headerPrefix}Correlation-Id`, 'Client-Request-Id'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = request.headers[name.toLowerCase()];
      return typeof value === 'string' && value.length <= MAX_ECHO ? [[name, value]] : [];
    }),
  );
}
