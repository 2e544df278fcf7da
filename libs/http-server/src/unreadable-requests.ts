import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { lingerAtEnd } from './linger.js';

/** Why something on a connection is no request: it took too long, its head is too large, or it is not proper HTTP. */
export type Unreadable = 'timeout' | 'headers-too-large' | 'bad-request';

/** What is written instead of an answer to a request. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const BY_CODE: Readonly<Record<string, Unreadable>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** For `clientError` of a server, and for Fastify's handler of it: answers what Node could not read as a request, and ends the connection. */
export function answerUnreadable(
  answerTo: (unreadable: Unreadable) => RawAnswer,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // One that has its last answer already is only waited for, whatever it still sends.
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    socket.write(asHttp(answerTo(BY_CODE[error.code ?? ''] ?? 'bad-request')));
    lingerAtEnd(socket);
    socket.destroySoon();
  };
}

function asHttp({ status, contentType, body }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
