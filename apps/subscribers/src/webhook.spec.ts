import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { readSubscriberSettings } from './subscription.js';
import { Webhook } from './webhook.js';

const RECORD = { callKey: 'c', contentType: 'text/xml', body: '<x/>' };

describe('a request to a receiver', () => {
  const sockets: Socket[] = [];
  let server: Server;
  let reply: string;
  let isEnded: boolean;

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(reply);
        if (isEnded) socket.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  async function send(): Promise<unknown> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has such an address
    const { port } = server.address() as AddressInfo;
    const submituri = `http://127.0.0.1:${port}/`;
    const webhook = await Webhook.open(submituri, readSubscriberSettings({ name: 'one', submituri }));
    const result = await webhook.send(RECORD);
    webhook.close();
    return result;
  }

  it.each([
    ['without a length, on a connection that stays', 'HTTP/1.1 200 OK\r\n\r\n', false],
    ['with a body shorter than announced', 'HTTP/1.1 202 Accepted\r\nContent-Length: 9\r\n\r\nok', true],
    ['with a body that is announced and does not come', 'HTTP/1.1 204 OK\r\nContent-Length: 9\r\n\r\n', false],
    ['without its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n', true],
  ])('is accepted by a status of success %s', async (_how, text, ended) => {
    [reply, isEnded] = [text, ended];
    expect(await send()).toEqual({ ok: true });
  });

  it('is refused by another status, whatever its body is', async () => {
    [reply, isEnded] = ['HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 9\r\n\r\n', true];
    expect(await send()).toEqual({ ok: false, reason: 'the receiver replied with 503', retryAfterMs: 7_000 });
  });

  it('fails without a status', async () => {
    [reply, isEnded] = ['', true];
    expect(await send()).toMatchObject({ ok: false });
  });
});

describe('a receiver', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-webhook-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function open(submituri: string, more: Readonly<Record<string, string>> = {}): Promise<Webhook> {
    return Webhook.open(submituri, readSubscriberSettings({ name: 'one', submituri, ...more }));
  }

  it('cannot be opened with a certificate and the key of another one, or with what is none', async () => {
    const pair = async (): Promise<{ cert: string; private: string }> =>
      generate([{ name: 'commonName', value: 'one' }], { keyType: 'ec', algorithm: 'sha256' });
    const [one, other] = [await pair(), await pair()];
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const clientcertificate = file('one.pem', one.cert);
    const mixed = open('https://a.test/', { clientcertificate, clientkey: file('other.key', other.private) });
    await expect(mixed).rejects.toThrow('SUBSCRIBERS_FILE subscriber one: ');
    const none = open('https://a.test/', { clientcertificate, clientkey: file('none.key', 'no key') });
    await expect(none).rejects.toThrow('SUBSCRIBERS_FILE subscriber one: ');
    await expect(
      open('https://a.test/', { clientcertificate, clientkey: file('own.key', one.private) }),
    ).resolves.toBeInstanceOf(Webhook);
  });

  it('cannot be opened with a password in its address that no request can have', async () => {
    await expect(open('https://user:pa%ss@a.test/')).rejects.toThrow('SUBSCRIBERS_FILE subscriber one: ');
  });
});
