import type { LaunchedSystem } from '@ringdown/testing/launched-system';
import { readFileSync } from 'node:fs';
import { attackSize } from '../../src/attack-size.js';
import { TlsConnection } from '../../src/tls-connection.js';
import { system } from './system.js';

/** The values in docs/settings.md. */
const PER_ADDRESS = 500;
const ATTACKER = '127.0.0.2';
const OTHERS = ['127.0.0.3', '127.0.0.4', '127.0.0.5'];
const BODY_BYTES = 250_000;

const open = (from?: string): Promise<TlsConnection> =>
  TlsConnection.open({ port: system.port, ca: system.ca, ...(from === undefined ? {} : { from }) });

function memoryOf({ process: { pid } }: LaunchedSystem): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

async function allClosed(connections: readonly TlsConnection[]): Promise<void> {
  while (connections.some(({ isClosed }) => !isClosed)) await new Promise((resolve) => setTimeout(resolve, 50));
}

const post = (path: string, length: number, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}Content-Length: ${length}\r\n\r\n`;

describe('the HTTPS port', () => {
  it('stays open for others while one address opens too many connections, and closes them within seconds', async () => {
    const size = attackSize(700, 1_500);
    // Some never finish their handshake, the others never finish a request head; the former leave room for the latter.
    const silentOnes = Math.min(size, PER_ADDRESS) / 2;
    const silent = await Promise.all(
      Array.from({ length: silentOnes }, () => TlsConnection.openPlain(system.port, ATTACKER)),
    );
    const heads: TlsConnection[] = [];
    for (let i = silentOnes; i < size; i++) {
      const connection = await open(ATTACKER);
      await connection.send('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
      heads.push(connection);
    }
    const all = [...silent, ...heads];
    expect(all.filter(({ isClosed }) => !isClosed).length).toBeLessThanOrEqual(PER_ADDRESS);
    expect((await system.client.request('/')).status).toBe(200);
    await allClosed(all);
    // Ten seconds for a handshake or a head, five for the response to be read. Connections above the limit were closed
    // at once, and a slow machine does not delay all the others.
    for (const kind of [silent, heads]) {
      const waited = kind.map(({ openMs }) => openMs).filter((ms) => ms > 5_000);
      expect(Math.min(...waited)).toBeLessThan(25_000);
    }
    const later = await open(ATTACKER);
    await later.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await later.answer(/^HTTP\/1\.1 200 /);
    later.end();
  });

  it('answers 401 without a token before the body comes, and keeps no body in memory', async () => {
    const connections: TlsConnection[] = [];
    const size = attackSize(300, 1_000);
    for (let i = 0; i < size; i++) {
      const connection = await open(OTHERS[i % OTHERS.length]);
      connections.push(connection);
      await connection.send(post('/uc/v1/applications', BODY_BYTES));
    }
    await Promise.all(connections.map((connection) => connection.answer(/^HTTP\/1\.1 401 /)));
    const before = memoryOf(system.process);
    // The system need not read them: the sockets are filled as far as possible.
    const sent = connections.map((connection) => connection.send(Buffer.alloc(BODY_BYTES - 1)));
    await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, 3_000))]);
    // Discarded bytes are garbage for a while; a thousand bodies in memory would be 290 MB.
    expect(memoryOf(system.process) - before).toBeLessThan(150);
    for (const connection of connections) connection.end();
  });

  it('rejects requests without a token before the body, if the client waits for 100 Continue', async () => {
    const connection = await open();
    await connection.send(post('/uc/v1/applications', 100, 'Expect: 100-continue\r\n'));
    expect(await connection.answer(/^HTTP\/1\.1 \d{3} .*\r\n\r\n/s)).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
    const signedIn = await open();
    const token = await system.client.signIn('alice');
    const authorization = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify({ culture: 'en', endpointId: 'asks', userAgent: 'Test/1' });
    await signedIn.send(post('/uc/v1/applications', body.length, `Expect: 100-continue\r\n${authorization}`));
    await signedIn.answer(/^HTTP\/1\.1 100 Continue\r\n\r\n/);
    await signedIn.send(body);
    await signedIn.answer(/HTTP\/1\.1 201 /);
    for (const each of [connection, signedIn]) each.end();
  });

  it('accepts token requests of at most 16 KB', async () => {
    const connection = await open();
    await connection.send(post('/uc/token', 16_385));
    expect(await connection.answer(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1\.1 413 .*"error":"invalid_request"/s);
    connection.end();
    const small = await open();
    await small.send(
      `${post('/uc/token', 16_384)}grant_type=password&x=`.padEnd(16_384 + post('/uc/token', 16_384).length, 'x'),
    );
    expect(await small.answer(/\r\n\r\n.*\}/s)).toMatch(/^HTTP\/1\.1 400 .*username is missing/s);
    small.end();
  });

  it.each([
    ['announced', `Content-Length: 4000000\r\n\r\n`, (piece: Buffer) => piece],
    [
      'in pieces',
      'Transfer-Encoding: chunked\r\n\r\n',
      (piece: Buffer) => Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    ],
  ])(
    'sends its response to a client that sends megabytes, %s, and reads nothing before all is sent',
    async (_how, head, framed) => {
      const sender = await open();
      await sender.send(`POST /uc/v1/applications HTTP/1.1\r\nHost: localhost\r\n${head}`);
      for (let sent = 0; sent < 4_000_000; sent += 100_000) await sender.send(framed(Buffer.alloc(100_000, 'x')));
      expect(await sender.answer(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 401 .*connection: close/is);
      sender.end();
    },
  );
});

describe.each(['HTTPS', 'feed'])('the %s port', (name) => {
  it.each([
    [
      'a body that is compressed below its chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
      501,
    ],
    ['a client that uses it as a proxy', 'CONNECT evil.test:25 HTTP/1.1\r\nHost: evil.test:25\r\n\r\n', 405],
    ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a request for two hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    [
      'a request that expects miracles',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: miracles\r\n\r\n',
      417,
    ],
  ])('responds to %s with the reason in a body', async (_what, sent, status) => {
    const connection = name === 'HTTPS' ? await open() : await TlsConnection.openPlain(system.feedPort);
    await connection.send(sent);
    const answer = await connection.answer(/\r\n\r\n.+[}>]/s);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer.slice(answer.indexOf('\r\n\r\n'))).toMatch(/"(?:detail|message)":"|<Reason>/);
    connection.end();
  });
});
