import { Controller, Post, Req } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, Metrics } from '@ringdown/observability';
import type { FastifyRequest } from 'fastify';
import { Server, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createListener, listen } from './index.js';
import { problemStyle } from './doors/errors.js';
import { openBody, pacedChunks, StreamedBody } from './doors/input.js';

@Controller()
class FilesController {
  @Post('files')
  @StreamedBody()
  async add(@Req() incoming: FastifyRequest): Promise<object> {
    let length = 0;
    for await (const chunk of pacedChunks(openBody(incoming, 1_000_000))) length += chunk.length;
    return { length };
  }

  @Post('texts')
  read(): object {
    return {};
  }
}

class FilesModule {}

describe('a route that reads its body itself', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    app = await createListener({
      parts: [{ module: { module: FilesModule, controllers: [FilesController] }, errorStyles: [problemStyle('/')] }],
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      metrics: new Metrics(),
    });
    port = await listen(app, 0, '127.0.0.1');
    const server: unknown = app.getHttpServer();
    if (!(server instanceof Server)) throw new Error('not a server of Node');
    // Half a minute would be a long test.
    server.headersTimeout = server.requestTimeout = 500;
  });
  afterAll(() => app.close());

  /** Sends 20 bytes in twice the time limit of requests, and as long again as the server may need to notice. */
  async function sendSlowly(path: string): Promise<{ status: number | undefined; body: string }> {
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers: { 'content-length': 20 } });
    const answered = once(sent, 'response').then(async ([answer]: IncomingMessage[]) => ({
      status: answer?.statusCode,
      body: answer ? await text(answer) : '',
    }));
    // The server may close the connection while this still writes.
    sent.on('error', () => undefined);
    for (let n = 0; n < 20; n++) {
      sent.write('x');
      await pause(125);
    }
    sent.end();
    return answered;
  }

  it('has more time than other routes', async () => {
    const [streamed, other] = await Promise.all([sendSlowly('/files'), sendSlowly('/texts')]);
    expect(streamed).toEqual({ status: 201, body: '{"length":20}' });
    expect(other).toMatchObject({ status: 408, body: expect.stringContaining('"code":"timeout"') });
  });
});
