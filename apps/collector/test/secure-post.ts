import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { KeyPair } from './certificates.js';

export interface SecurePost {
  readonly port: number;
  /** The CA that the sender trusts. */
  readonly ca: string;
  /** The certificate that the sender presents. */
  readonly own?: KeyPair;
  readonly body: string;
  /** Sent before the handshake, as by a load balancer. */
  readonly proxyLine?: string;
}

export interface SecureAnswer {
  readonly status: number | undefined;
  readonly body: string;
  /** Serial number of the certificate that the collector presented. */
  readonly serialNumber: string;
}

/** One POST over a new TLS connection. Rejects when the connection fails. */
export async function securePost({ port, ca, own, body, proxyLine }: SecurePost): Promise<SecureAnswer> {
  const below = connectTcp(port, '127.0.0.1');
  if (proxyLine !== undefined) below.write(proxyLine);
  const socket = connectTls({ socket: below, servername: 'localhost', ca, ...own });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  const sent = request({ host: `localhost:${port}`, method: 'POST', createConnection: () => socket });
  sent.setHeader('host', `localhost:${port}`).end(body);
  const answered: Promise<IncomingMessage[]> = once(sent, 'response');
  const [response] = await answered;
  const answer = { status: response?.statusCode, body: response ? await text(response) : '', serialNumber };
  socket.destroy();
  return answer;
}
