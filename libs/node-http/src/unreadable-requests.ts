import type { Socket } from 'node:net';
import { isLingering } from './linger.js';
import { endWith, type RawAnswer } from './raw-answer.js';

/** Why something on a connection is not a request: it took too long, its head is too large, or it is not proper HTTP. */
export type Unreadable = 'timeout' | 'headers-too-large' | 'bad-request';

const BY_CODE: Readonly<Record<string, Unreadable>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
};

/** For `clientError` of a server, and for Fastify's handler of it: answers what Node could not read as a request, and ends the connection. */
export function answerUnreadable(
  answerTo: (unreadable: Unreadable) => RawAnswer,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    // A connection that has its last answer is about to close, whatever it still sends.
    if (error.code === 'ECONNRESET' || isLingering(socket) || !socket.writable) return;
    // No client reads an answer before the handshake is over, so there is nothing to wait for.
    if (error.code === 'ERR_TLS_HANDSHAKE_TIMEOUT') socket.destroy();
    else endWith(socket, answerTo(BY_CODE[error.code ?? ''] ?? 'bad-request'));
  };
}
