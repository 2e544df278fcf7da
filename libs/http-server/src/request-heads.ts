import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Fault } from './errors.js';
import { expectationAnswer } from './problem-json.js';
import { endWith, type RawAnswer } from './raw-answer.js';

/** Node answers without a body where `Host` is missing, and takes several; {@link assertReadable} looks at it instead. */
export const hostIsLookedAtLater = { requireHostHeader: false };

/** Throws {@link Fault} `malformed` or `not-implemented`. */
export function assertReadable(request: IncomingMessage): void {
  const message = hostProblem(request);
  if (message !== undefined) throw new Fault('malformed', { message });
  if (hasUnknownCoding(request)) {
    throw new Fault('not-implemented', { message: 'Nothing but chunked is read as a Transfer-Encoding.' });
  }
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

/** Node undoes chunks, and hands over what is compressed below them as if it were the body (RFC 9112, section 6.1). */
export function hasUnknownCoding({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding !== undefined && coding.trim().toLowerCase() !== 'chunked';
}

/** Requests whose senders wait for `100 Continue` before they send the body. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Node would say `100 Continue` before anybody has looked at the head; here it is said by {@link continueSending}. Whoever
 * expects something else is answered with a body; Node would do so without.
 */
export function answerExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (_request, response) => {
    const { status, contentType, body } = expectationAnswer;
    response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
  });
}

export function continueSending(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

export function isWaiting(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/** Answers whoever takes this for a proxy; Node would close the connection without a word. */
export function answerConnect(server: Server, answer: () => RawAnswer): void {
  server.on('connect', (_request, socket: Duplex) => endWith(socket, answer()));
}
