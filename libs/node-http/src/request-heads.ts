import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { endWith, type RawAnswer } from './raw-answer.js';

/** Node answers without a body where `Host` is missing, and accepts several; {@link hostProblem} finds both instead. */
export const hostCheckedLater = { requireHostHeader: false };

/** What is wrong with the `Host` of a request: there is one, and with HTTP/1.0 none is needed (RFC 9112, section 3.2). */
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
 * Node would send `100 Continue` before the head has been checked; here {@link continueSending} sends it. A request that
 * expects something else gets `answer`; Node would answer it without a body.
 */
export function answerExpectations(server: Server, answer: RawAnswer): void {
  server.on('checkContinue', (request, response) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  const { status, contentType, body } = answer;
  server.on('checkExpectation', (_request, response) => {
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

/** Answers a client that uses this server as a proxy; Node would close the connection without an answer. */
export function answerConnect(server: Server, answer: () => RawAnswer): void {
  server.on('connect', (_request, socket: Duplex) => endWith(socket, answer()));
}
