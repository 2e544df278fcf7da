import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import type { KeyPair } from './certificates.js';

export interface SecurePost {
  readonly port: number;
  /** Whom the sender trusts. */
  readonly ca: string;
  /** What the sender shows. */
  readonly own?: KeyPair;
  readonly body: string;
  /** Said before the handshake, as by a balancer. */
  readonly proxyLine?: string;
}

export interface SecureAnswer {
  readonly status: number | undefined;
  readonly body: string;
  /** Serial number of the certificate that the collector showed. */
  readonly serialNumber: string;
}

/** One POST over a TLS connection of its own. Rejects when there is none. */
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
