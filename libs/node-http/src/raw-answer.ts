import { STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { lingerAtEnd } from './linger.js';

/** An answer that is written without a request. */
export interface RawAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: string;
}

/** Writes an answer and ends the connection. */
export function endWith(connection: Duplex, answer: RawAnswer): void {
  connection.on('error', () => connection.destroy());
  connection.write(asHttp(answer));
  if (!(connection instanceof Socket)) return void connection.end();
  lingerAtEnd(connection);
  connection.destroySoon();
}

function asHttp({ status, headers = {}, contentType, body }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
