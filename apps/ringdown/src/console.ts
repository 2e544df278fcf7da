import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder where `npm run build` writes the page, its scripts and styles. */
export const CONSOLE_SITE = fileURLToPath(new URL('../../../console/dist/site/', import.meta.url));

/** Nothing from other origins, nothing inline, not in a frame. deploy/edge/Caddyfile contains the same policy. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
    "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};
const PAGE = 'index.html';
/** A file whose content changes gets another name. */
const HASHED = /^assets\//;
const A_YEAR = 'public, max-age=31536000, immutable';

/** The page of a meeting, which is the same page. */
const MEETING = /^\/meet\//i;

/** Serves the console under /console/, and the page for guests of meetings. Returns whether there is one: the checkout may not have been built yet. */
export async function serveConsole(fastify: FastifyInstance, site = CONSOLE_SITE): Promise<boolean> {
  if (!existsSync(site + PAGE)) return false;
  const files = new Set(globSync('**/*.*', { cwd: site }));
  await fastify.register(fastifyStatic, { root: site, serve: false, preCompressed: true, cacheControl: false });
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = decodeURI(new URL(request.url, 'http://any').pathname).replace(/^\/console/i, '');
    if (path === '') return reply.redirect('/console/', 308);
    const file = MEETING.test(path) ? PAGE : path.slice(1);
    // URLs of views all return the one page; URLs of missing files do not.
    if (!files.has(file) && HASHED.test(file)) {
      reply.callNotFound();
      return reply;
    }
    void reply.headers(HEADERS).header('cache-control', HASHED.test(file) ? A_YEAR : 'no-cache');
    return reply.sendFile(files.has(file) ? file : PAGE);
  };
  fastify.get('/meet/*', answer);
  fastify.get('/console', answer);
  fastify.get('/console/*', answer);
  return true;
}
