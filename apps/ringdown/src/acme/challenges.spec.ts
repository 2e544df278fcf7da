import { Challenges, isOfChallenge } from './challenges.js';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';

const HOST = 'uc.example.org';

async function pair(name: string): Promise<{ cert: string; key: string; fingerprint: string }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], { keyType: 'ec' });
  return { cert, key, fingerprint: new X509Certificate(cert).fingerprint256 };
}

function portOf(server: { address(): unknown }): number {
  const { port }: { port?: number } = Object(server.address());
  return port ?? 0;
}

describe('a challenge over TLS', () => {
  const challenges = new Challenges();
  const sockets: TLSSocket[] = [];
  let server: Server;
  let usual: Awaited<ReturnType<typeof pair>>;
  let special: Awaited<ReturnType<typeof pair>>;

  beforeAll(async () => {
    usual = await pair('usual');
    special = await pair('challenge');
    server = createServer(
      { cert: usual.cert, key: usual.key, ALPNCallback: challenges.alpnCallback() },
      (_request, response) => response.end('well'),
    );
    server.prependListener('secureConnection', (socket) => {
      if (isOfChallenge(socket)) socket.destroySoon();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  beforeEach(() => challenges.answerWithCertificate(HOST, special));
  afterEach(() => challenges.clear());

  async function open(
    servername: string,
    ALPNProtocols?: string[],
    maxVersion: 'TLSv1.2' | 'TLSv1.3' = 'TLSv1.3',
  ): Promise<TLSSocket> {
    const socket = connect({
      port: portOf(server),
      host: '127.0.0.1',
      servername,
      rejectUnauthorized: false,
      maxVersion,
      ...(ALPNProtocols && { ALPNProtocols }),
    });
    sockets.push(socket);
    await once(socket, 'secureConnect');
    return socket;
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'is answered with its certificate, and nothing else (%s)',
    async (version) => {
      const socket = await open(HOST.toUpperCase(), ['acme-tls/1'], version);
      expect(socket.alpnProtocol).toBe('acme-tls/1');
      expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(special.fingerprint);
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk))).on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'close');
      expect(received).toBe('');
    },
  );

  it.each([undefined, ['http/1.1'], ['h2', 'http/1.1']])(
    'is not seen by other clients of the same name (%j)',
    async (protocols) => {
      const socket = await open(HOST, protocols);
      expect(socket.getPeerX509Certificate()?.fingerprint256).toBe(usual.fingerprint);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
    },
  );

  it.each([
    ['of another name', 'other.example.org', ['acme-tls/1']],
    ['of a protocol that is not spoken', HOST, ['h2']],
  ])('ends the handshake %s', async (_what, name, protocols) => {
    await expect(open(name, protocols)).rejects.toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' });
  });

  it('ends the handshake when nothing is asked for any more', async () => {
    challenges.clear();
    await expect(open(HOST, ['acme-tls/1'])).rejects.toMatchObject({
      code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
    });
  });
});

describe('a challenge over HTTP', () => {
  it('is answered for its token alone, until it is over', async () => {
    const challenges = new Challenges();
    challenges.answerWithText('abc', 'abc.thumbprint');
    const server = createPlainServer((request, response) => {
      if (!challenges.answered(request, response)) response.writeHead(301).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = async (path: string, method = 'GET'): Promise<readonly [number, string]> => {
      const response = await fetch(`http://127.0.0.1:${portOf(server)}${path}`, { method, redirect: 'manual' });
      return [response.status, await response.text()];
    };
    const path = '/.well-known/acme-challenge/abc';
    expect(await ask(path)).toEqual([200, 'abc.thumbprint']);
    expect(await ask(path, 'HEAD')).toEqual([200, '']);
    expect(await ask(path, 'POST')).toEqual([301, '']);
    expect(await ask(`${path}d`)).toEqual([301, '']);
    expect(await ask('/console/')).toEqual([301, '']);
    challenges.clear();
    expect(await ask(path)).toEqual([301, '']);
    server.close();
    server.closeAllConnections();
  });
});
