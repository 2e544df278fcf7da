import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Controller, Get } from '@nestjs/common';
import { createLogger, Metrics } from '@ringdown/observability';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createListener, listen, problemStyle } from './index.js';

/** Is told when the slow answer has been asked for. */
let asked = (): void => undefined;

@Controller()
class SlowController {
  @Get('slow')
  async slow(): Promise<object> {
    asked();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ok: true };
  }
}

class SlowModule {}

describe('a listener that is told to stop', () => {
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

  it('does not wait for a connection on which nothing was ever asked', async () => {
    await connected();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await msToStop()).toBeLessThan(6_000);
  });

  it('answers what is in flight, and does not wait for the connection to be used again', async () => {
    const socket = await connected();
    const inFlight = new Promise<void>((resolve) => (asked = resolve));
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await inFlight;
    const [[answer], ms] = await Promise.all([once(socket, 'data'), msToStop()]);
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 .*"ok":true/s);
    expect(ms).toBeLessThan(6_000);
  });

  it('answers what comes on an open connection meanwhile, and says that it is the last of that connection', async () => {
    const socket = await connected();
    // The connection is accepted once somebody after it is.
    await fetch(`http://127.0.0.1:${port}/`);
    const stopped = app.close();
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const answer = (await socket.setEncoding('utf8').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK.*connection: close.*"ok":true/is);
    await stopped;
  });
});
