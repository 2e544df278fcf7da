import type { IncomingMessage, Server } from 'node:http';
import { Fault } from './errors.js';
import { expectationAnswer } from './problem-json.js';

/** Node answers without a body where `Host` is missing, and takes several; {@link assertOneHost} looks at it instead. */
export const hostIsLookedAtLater = { requireHostHeader: false };

/**
 * A request says once for which host it is; with HTTP/1.0 it need not (RFC 9112, section 3.2). Throws {@link Fault}
 * `malformed`.
 */
export function assertOneHost({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): void {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') lines++;
  }
  if (lines > 1) throw new Fault('malformed', { message: 'The request has more than one Host header.' });
  const isOld = httpVersionMajor === 1 && httpVersionMinor === 0;
  if (lines === 0 && !isOld) throw new Fault('malformed', { message: 'The request has no Host header.' });
}

/** Answers whoever expects what nobody knows with a body; Node would do so without. */
export function answerExpectations(server: Pick<Server, 'on'>): void {
  server.on('checkExpectation', (_request, response) => {
    const { status, contentType, body } = expectationAnswer;
    response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
  });
}
