import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { urlPath } from './profile-paths.js';

const API = /^\/+api(?:\/|$)/i;
const NO_STORE = 'no-store';

/**
 * Answers under `/api` say who called whom and who may sign in: no cache may keep one, nor an error (RFC 9111, section 5.2.2.5). To be
 * called after `compressAnswers`, which leaves out what a handler itself marks as secret.
 */
export function keepApiOutOfCaches(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    markApiAnswer(request, reply);
    done(null, payload);
  });
}

/** For answers that Fastify sends without hooks. */
export function markApiAnswer(request: FastifyRequest, reply: FastifyReply): void {
  // The route as well: its path may have been requested in an encoded spelling.
  if (API.test(request.routeOptions.url ?? '') || API.test(urlPath(request.url)))
    void reply.header('cache-control', NO_STORE);
}
