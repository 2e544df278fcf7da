import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { CollectorMetrics } from './collector-metrics.js';
import { Refusal, type RefusalCode } from './refusal.js';

const CODE_OF_ERROR: Readonly<Record<string, RefusalCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** Answers what Node could not read as a request, in the words of the feed, and ends the connection. */
export function clientErrorHandler(
  metrics: CollectorMetrics,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const refusal = new Refusal(CODE_OF_ERROR[error.code ?? ''] ?? 'bad-request');
    metrics.refuse(refusal.code);
    if (socket.writable) socket.write(rawAnswer(refusal));
    socket.destroySoon();
  };
}

function rawAnswer(refusal: Refusal): string {
  const { status, body } = refusal.answer();
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: text/xml; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
