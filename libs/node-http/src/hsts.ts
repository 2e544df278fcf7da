import type { Server, ServerResponse } from 'node:http';
import type { RawAnswer } from './raw-answer.js';

export function hstsHeader(seconds: number): Record<string, string> {
  return { 'Strict-Transport-Security': `max-age=${seconds}` };
}

/** Adds the header that makes browsers use HTTPS from then on to every response of an HTTPS server (RFC 6797). */
export function sendHsts(server: Server, seconds: number): void {
  const [[name, value] = ['', '']] = Object.entries(hstsHeader(seconds));
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, (_request: unknown, response: ServerResponse) => response.setHeader(name, value));
  }
}

/** The same for answers that are written without a response. */
export function withHsts(answer: RawAnswer, seconds: number | undefined): RawAnswer {
  return seconds === undefined ? answer : { ...answer, headers: { ...answer.headers, ...hstsHeader(seconds) } };
}
