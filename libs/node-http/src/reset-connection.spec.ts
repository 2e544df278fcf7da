import { once } from 'node:events';
import { connect, createServer, type Socket, type AddressInfo, type Server } from 'node:net';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { resetConnection } from './reset-connection.js';

/** TLS without certificates (RFC 4279). */
const PSK = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;
const key = Buffer.from('0123456789abcdef');

const KINDS: Readonly<
  Record<string, { server: (each: (socket: Socket) => void) => Server; client: (port: number) => Socket }>
> = {
  TCP: { server: (each) => createServer(each), client: (port) => connect(port, '127.0.0.1') },
  TLS: {
    server: (each) => createSecureServer({ ...PSK, pskCallback: () => key }, each),
    client: (port) =>
      connectSecurely({
        ...PSK,
        port,
        host: '127.0.0.1',
        pskCallback: () => ({ psk: key, identity: 'test' }),
        checkServerIdentity: () => undefined,
      }),
  },
};

/** Bytes that a client that was not reading gets after the server has closed the connection. */
async function bytesAfter(kind: string, close: (socket: Socket) => void): Promise<number> {
  const closed = Promise.withResolvers<void>();
  const server = KINDS[kind]?.server((socket) => {
    socket.on('error', () => undefined);
    const chunk = Buffer.alloc(64 * 1_024);
    // As much as the operating system takes.
    const write = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', write);
    write();
    setTimeout(() => {
      close(socket);
      closed.resolve();
    }, 300);
  });
  if (server === undefined) throw new Error(`there is no kind ${kind}`);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const client = KINDS[kind]?.client((server.address() as AddressInfo).port);
  let bytes = 0;
  client?.on('error', () => undefined);
  await closed.promise;
  await sleep(50);
  client?.on('data', (chunk: Buffer) => (bytes += chunk.length));
  // `once` would reject with the reset.
  await new Promise((resolve) => client?.once('close', resolve));
  server.close();
  return bytes;
}

describe.each(Object.keys(KINDS))('a connection over %s', (kind) => {
  it('delivers nothing that the system has not sent when it is reset', async () => {
    const usual = await bytesAfter(kind, (socket) => socket.destroy());
    const reset = await bytesAfter(kind, resetConnection);
    expect(reset).toBeLessThan(usual / 2);
  });
});
