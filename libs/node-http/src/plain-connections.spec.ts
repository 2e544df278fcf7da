import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOn } from './listen.js';
import { PlainConnections, type PlainAnswer } from './plain-connections.js';
import type { PlainPost } from './plain-post.js';

/** Longer than a busy machine takes until a request is there. */
const FIRST_MS = 5_000;
const IDLE_MS = 1_500;

function post(body: string, headers = ''): string {
  return `POST /a HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
}

describe('a connection of plain posts', () => {
  let server: Server;
  let port: number;
  let plain: PlainConnections;
  let client: Socket;
  let received = '';
  let isClosed = false;
  let restMs: number;
  let unreadable: string[] = [];
  let answer: (post: PlainPost) => Promise<Partial<PlainAnswer>>;

  beforeEach(async () => {
    [received, isClosed, unreadable] = ['', false, []];
    restMs = 60_000;
    answer = async () => ({});
    server = createServer({ connectionsCheckingInterval: 100, headersTimeout: 300, requestTimeout: 300 });
    server.on('request', (request, response) => {
      request.resume().on('end', () => response.end(`node ${request.url}`));
    });
    Object.assign(server, { httpAllowHalfOpen: true });
    const accept = server.listeners('connection');
    server.removeAllListeners('connection');
    plain = new PlainConnections({
      mostBytes: 1_000_000,
      firstMs: FIRST_MS,
      idleMs: IDLE_MS,
      get restMs() {
        return restMs;
      },
      isType: (type) => type === 'text/xml',
      answer: async (read) => {
        const usual = { status: 200, headers: { 'x-a': 'b' }, body: `plain ${read.body.toString()}`, isLast: false };
        return { ...usual, ...(await answer(read)) };
      },
      unreadable: ({ message }, socket) => {
        unreadable.push(message);
        socket.destroy();
      },
    });
    server.on('connection', (socket: Socket) => {
      plain.open(socket, () => {
        for (const listener of accept) Reflect.apply(listener, server, [socket]);
      });
    });
    port = await listenOn(server, 0, '127.0.0.1');
    client = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    client.on('data', (data) => (received += data.toString())).on('close', () => (isClosed = true));
    client.on('end', () => client.end());
    await once(client, 'connect');
  });
  afterEach(async () => {
    client.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  /** What was received when it matches; or all of it, when it does not match in time. */
  async function receives(pattern: RegExp): Promise<string> {
    for (let tries = 0; !pattern.test(received) && tries < 500; tries++) await sleep(10);
    return received;
  }

  it('gets its replies one after the other, as Node writes them', async () => {
    client.write(post('1'));
    await receives(/plain 1$/);
    client.write(post('2'));
    const date = String.raw`Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT`;
    const head = String.raw`HTTP/1\.1 200 OK\r\nx-a: b\r\ncontent-length: 7\r\n${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\n\r\n`;
    expect(await receives(/plain 2$/)).toMatch(new RegExp(`^${head}plain 1${head}plain 2$`));
  });

  it('may send a body behind its head, in several pieces', async () => {
    const text = post('<body/>');
    for (const piece of [text.slice(0, -7), text.slice(-7, -3), text.slice(-3)]) {
      client.write(piece);
      await sleep(20);
    }
    expect(await receives(/<body\/>$/)).toMatch(/plain <body\/>$/);
  });

  it('is Node’s from a request that is not plain', async () => {
    client.write(post('1'));
    await receives(/plain 1$/);
    client.write(post('2', 'X-Other: a\r\n'));
    await receives(/node \/a$/);
    client.write(post('3'));
    expect(await receives(/node \/a.*\/a$/s)).toMatch(/plain 1HTTP.*node \/aHTTP.*node \/a$/s);
  });

  it('is Node’s with the requests that came before a reply, which it answers in their order', async () => {
    let go = (): void => undefined;
    const asked = new Promise<void>((isAsked) => {
      answer = async () => {
        await new Promise<void>((resolve) => {
          go = resolve;
          isAsked();
        });
        return {};
      };
    });
    client.write(post('1'));
    await asked;
    client.write(post('2').replace('/a', '/b') + post('3').replace('/a', '/c').slice(0, -1));
    await sleep(200);
    expect(received).toBe('');
    go();
    client.write('3');
    expect(await receives(/\/c$/)).toMatch(/plain 1HTTP.*node \/bHTTP.*node \/c$/s);
  });

  it.each([
    ['a head', post('12345').slice(0, 20)],
    ['a body', post('12345').slice(0, -1)],
  ])('that stays within %s has the limits of Node', async (_what, part) => {
    restMs = 100;
    client.write(part);
    expect(await receives(/HTTP/)).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('without a request is reported as such', async () => {
    await once(client, 'close');
    expect(unreadable).toEqual(['no request in time']);
  });

  it('is closed when it is idle, but not before its reply', async () => {
    answer = async () => {
      await sleep(IDLE_MS + 500);
      return {};
    };
    client.write(post('1'));
    await receives(/plain 1$/);
    expect(isClosed).toBe(false);
    await once(client, 'close');
  });

  it('gets the reply to its last request after it has closed its side', async () => {
    client.end(post('last'));
    expect(await receives(/last$/)).toMatch(/plain last$/);
    if (!isClosed) await once(client, 'close');
  });

  it('ends after a reply that is the last one', async () => {
    answer = async () => ({ isLast: true, status: 503 });
    client.write(post('1'));
    const last = /^HTTP\/1\.1 503 Service Unavailable\r\n.*connection: close.*plain 1$/s;
    expect(await receives(/plain 1$/)).toMatch(last);
    if (!isClosed) await once(client, 'close');
  });

  it('that closes its side within a request is cut off, once', async () => {
    client.end(post('12345').slice(0, -1));
    await once(client, 'close');
    expect(unreadable).toEqual(['the connection ended within a request']);
  });

  it('is in use from the first byte behind the head of a request until its reply', async () => {
    const opened = once(server, 'connection');
    const other = connect(port, '127.0.0.1');
    const [socket] = await opened;
    const isInUse = (): boolean => plain.isInUse(socket);
    expect(isInUse()).toBe(false);
    let whenAsked = false;
    answer = async () => {
      whenAsked = isInUse();
      return {};
    };
    other.write(post('12').slice(0, -1));
    await sleep(100);
    expect(isInUse()).toBe(true);
    other.write('2');
    await once(other, 'data');
    expect([whenAsked, isInUse()]).toEqual([true, false]);
    other.destroy();
  });

  it('reads no further requests while its replies are not read', async () => {
    let answered = 0;
    answer = async () => {
      answered++;
      return { body: 'x'.repeat(8 * 1_024 * 1_024) };
    };
    client.pause();
    client.write(post('1'));
    await sleep(200);
    client.write(post('2'));
    await sleep(200);
    expect(answered).toBe(1);
    client.resume();
    await receives(/node \/a$/);
  });
});
