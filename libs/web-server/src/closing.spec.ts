import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Controller, Get } from '@nestjs/common';
import { ConnectionLimits } from '@ringdown/node-http';
import { createLogger, Metrics } from '@ringdown/observability';
import { defaultProfile } from '@ringdown/vendor-profile';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createListener, listen } from './index.js';
import { problemStyle } from './doors/errors.js';
import { listenPlain } from './plain-http.js';

/** Called when the request with the slow response has arrived. */
let requestReceived = (): void => undefined;

@Controller()
class SlowController {
  @Get('slow')
  async slow(): Promise<object> {
    requestReceived();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ok: true };
  }
}

class SlowModule {}

describe('a listener that is stopping', () => {
  let app: NestFastifyApplication;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    const module = { module: SlowModule, controllers: [SlowController] };
    app = await createListener({
      parts: [{ module, errorStyles: [problemStyle('/')] }],
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      metrics: new Metrics(),
    });
    port = await listen(app, 0, '127.0.0.1');
  });

  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function connected(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function msToStop(): Promise<number> {
    const before = Date.now();
    await app.close();
    return Date.now() - before;
  }

  it('does not wait for a connection without any request', async () => {
    await connected();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await msToStop()).toBeLessThan(6_000);
  });

  it('does not wait for one on its plain port either', async () => {
    const limits = new ConnectionLimits({
      maxConnections: 9,
      connectionsPerAddress: 9,
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      metrics: new Metrics(),
    });
    const plain = await listenPlain(app, defaultProfile.web, 0, '127.0.0.1', { limits });
    const socket = connect(plain.port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = Date.now();
    await plain.close();
    expect(Date.now() - before).toBeLessThan(6_000);
    await app.close();
  });

  it('completes requests in flight, and does not wait for more requests on their connections', async () => {
    const socket = await connected();
    const inFlight = new Promise<void>((resolve) => (requestReceived = resolve));
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await inFlight;
    const [[answer], ms] = await Promise.all([once(socket, 'data'), msToStop()]);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
    expect(ms).toBeLessThan(6_000);
  });

  it('answers new requests on an open connection, and announces that it closes the connection', async () => {
    const socket = await connected();
    // Connections are accepted in order: the earlier connection is accepted when a later one is.
    await fetch(`http://127.0.0.1:${port}/`);
    const stopped = app.close();
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK.*connection: close.*"ok":true/is);
    await stopped;
  });
});
