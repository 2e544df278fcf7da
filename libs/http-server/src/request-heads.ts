import type { IncomingMessage, Server } from 'node:http';
import { Fault } from './errors.js';
import { expectationAnswer } from './problem-json.js';

/** Node answers without a body where `Host` is missing, and takes several; {@link assertOneHost} looks at it instead. */
export const hostIsLookedAtLater = { requireHostHeader: false };

/** Throws {@link Fault} `malformed`. */
export function assertOneHost(request: IncomingMessage): void {
  const message = hostProblem(request);
  if (message !== undefined) throw new Fault('malformed', { message });
}

/** A request says once for which host it is; with HTTP/1.0 it need not (RFC 9112, section 3.2). */
export function hostProblem({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): string | undefined {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') lines++;
  }
  if (lines > 1) return 'The request has more than one Host header.';
  const isOld = httpVersionMajor === 1 && httpVersionMinor === 0;
  return lines === 0 && !isOld ? 'The request has no Host header.' : undefined;
}

/** Answers whoever expects what nobody knows with a body; Node would do so without. */
export function answerExpectations(server: Pick<Server, 'on'>): void {
  server.on('checkExpectation', (_request, response) => {
    const { status, contentType, body } = expectationAnswer;
    response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
  });
}
