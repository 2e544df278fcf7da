import { Body, Controller, Get, Post, Res, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createLogger, Metrics } from '@ringdown/observability';
import { msProfile } from '@ringdown/vendor-profile';
import { IsString } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createListener, listen, PublicOrigins } from './index.js';
import { InterfaceError, problemStyle } from './doors/errors.js';

const row = { status: 400, code: 'bad-thing', message: 'The thing is bad.' };

class Thing {
  @IsString()
  name!: string;
}

@Controller('uc/v1')
class ThingController {
  @Get('things/:id')
  get(): object {
    return { ok: true };
  }

  @Post('things')
  create(@Body() thing: Thing): object {
    return thing;
  }

  @Get('broken')
  broken(): never {
    throw new Error('secret detail');
  }

  @Get('late')
  late(): never {
    throw new InterfaceError(row, { headers: { 'retry-after': '7' } });
  }
}

@Controller('api')
class ApiController {
  @Get('things/:id')
  get(): object {
    return { ok: true };
  }

  @Get('cached')
  cached(@Res({ passthrough: true }) reply: FastifyReply): object {
    void reply.header('cache-control', 'private, max-age=60');
    return { ok: true };
  }

  @Get('broken')
  broken(): never {
    throw new Error('secret detail');
  }
}

class ThingModule {}
const module: DynamicModule = { module: ThingModule, controllers: [ThingController, ApiController] };

describe('a listener', () => {
  let app: NestFastifyApplication;
  let base: string;

  beforeAll(async () => {
    app = await createListener({
      parts: [{ module, errorStyles: [problemStyle('/')] }],
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      metrics: new Metrics(),
      webInterface: {
        web: msProfile.web,
        publicOrigins: new PublicOrigins('https://uc.example.test'),
        allowedOrigins: [],
      },
      bodyLimitBytes: 100_000,
    });
    base = `http://127.0.0.1:${await listen(app, 0, '127.0.0.1')}`;
  });
  afterAll(() => app.close());

  async function outcome(path: string, init: RequestInit = {}): Promise<{ status: number; body: unknown }> {
    const response = await fetch(base + path, init);
    return { status: response.status, body: await response.json() };
  }

  it('serves the same route under every path of the profile, in any case', async () => {
    for (const path of ['/uc/v1/things/1', '/ucwa/oauth/v1/things/1', '/UCWA/v1/Things/1', '//ucwa/v1/things/1/']) {
      expect(await outcome(path)).toEqual({ status: 200, body: { ok: true } });
    }
  });

  it.each([
    ['/api/things/1', 200],
    ['//API/things/1', 200],
    ['/%61pi/things/1', 200],
    ['/api/cached', 200],
    ['/api/nothing', 404],
    ['/api', 404],
    ['/api/broken', 500],
    ['/api/things/%zz', 400],
  ])('forbids caches to keep the answer of %s (%d)', async (path, status) => {
    const answer = await fetch(base + path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
  });

  it('forbids caches to keep the answer to a wrong method, or to what is not a request', async () => {
    const wrongMethod = await fetch(`${base}/api/things/1`, { method: 'DELETE' });
    expect([wrongMethod.status, wrongMethod.headers.get('cache-control')]).toEqual([405, 'no-store']);
    const raw = connect(Number(new URL(base).port), '127.0.0.1');
    raw.write(`GET /api/things/1 HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(await text(raw)).toMatch(/^HTTP\/1\.1 431 [^]*\r\nCache-Control: no-store\r\n/);
  });

  it('leaves caching outside of /api to the handler', async () => {
    for (const path of ['/uc/v1/things/1', '/apis', '/uc/v1/broken'])
      expect((await fetch(base + path)).headers.get('cache-control')).toBe(null);
  });

  it('compresses answers under /api that their handler does not mark as secret', async () => {
    const answer = await fetch(`${base}/api/things/1`, { headers: { 'accept-encoding': 'gzip' } });
    expect([answer.headers.get('content-encoding'), await answer.json()]).toEqual(['gzip', { ok: true }]);
  });

  it('answers a wrong method with another error than a wrong path', async () => {
    const wrongMethod = await fetch(`${base}/uc/v1/things/1`, { method: 'DELETE' });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD');
    expect(await wrongMethod.json()).toMatchObject({ code: 'method-not-allowed' });
    expect(await outcome('/nothing')).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });

  it.each([
    ['not JSON', '{', 'The body is not JSON.'],
    ['not an object', '[]', 'The body must be a JSON object.'],
    ['too deep', '['.repeat(40_000), 'The JSON is nested deeper than 32 levels.'],
    ['another prototype', '{"name":"a","__proto__":{}}', 'The name __proto__ is not allowed.'],
    ['a hidden prototype', '{"name":"a","size":[{"\\u005f_proto__":1}]}', 'The name __proto__ is not allowed.'],
  ])('rejects a body (%s)', async (_what, body, detail) => {
    expect(await outcome('/uc/v1/things', { method: 'POST', body })).toMatchObject({
      status: 400,
      body: { code: 'malformed', detail },
    });
  });

  it.each([
    ['a wrong type', '{"name":1}', 'name', 'name must be a string'],
    ['a missing property', '', 'name', 'name must be a string'],
    ['an unknown property', '{"name":"a","size":1}', 'size', 'there is no size'],
    ['a property that every object has', '{"name":"a","toString":1}', 'toString', 'there is no toString'],
    ['another constructor', '{"name":"a","constructor":{}}', 'constructor', 'there is no constructor'],
  ])('refuses a body with %s, and names it', async (_what, body, name, reason) => {
    expect(await outcome('/uc/v1/things', { method: 'POST', body })).toMatchObject({
      status: 400,
      body: { code: 'bad-parameter', detail: reason, parameters: [expect.objectContaining({ name, reason })] },
    });
  });

  it('hands a body that fits to the handler', async () => {
    expect(await outcome('/uc/v1/things', { method: 'POST', body: '{"name":"a"}' })).toEqual({
      status: 201,
      body: { name: 'a' },
    });
  });

  it('rejects a body over the limit and serves the next request', async () => {
    expect(await outcome('/uc/v1/things', { method: 'POST', body: 'x'.repeat(100_001) })).toMatchObject({
      status: 413,
    });
    expect(await outcome('/uc/v1/things/1')).toMatchObject({ status: 200 });
  });

  it('rejects a compressed body with a fitting error', async () => {
    const compressed = { method: 'POST', body: 'x', headers: { 'content-encoding': 'gzip' } };
    const response = await fetch(`${base}/uc/v1/things`, compressed);
    expect(response.status).toBe(415);
    expect(response.headers.get('accept-encoding')).toBe('identity');
    expect(await response.json()).toMatchObject({ detail: 'The body must not be compressed.' });
    expect(await outcome('/uc/v1/things', { method: 'POST', body: '{"name":"a"}' })).toMatchObject({ status: 201 });
  });

  it('reads a body whose content type is empty', async () => {
    const blank = { method: 'POST', body: '{"name":"a"}', headers: { 'content-type': '' } };
    expect(await outcome('/uc/v1/things', blank)).toMatchObject({ status: 201 });
  });

  it('lets a client send a much too large body to its end, so that it gets the response', async () => {
    const length = 4_000_000;
    const sender = connect(Number(new URL(base).port), '127.0.0.1');
    sender.write(`POST /uc/v1/things HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`);
    // In pieces, and without reading before all is sent, like a proxy that forwards a body.
    for (let sent = 0; sent < length; sent += 100_000) {
      await new Promise((written) => sender.write(Buffer.alloc(100_000), written));
      await new Promise((turn) => setImmediate(turn));
    }
    expect(await text(sender)).toContain('HTTP/1.1 413 Payload Too Large');
  });

  it.each([
    ['data that is not HTTP', 'HELLO\r\n\r\n', 400, 'bad-request'],
    ['a head without end', `GET / HTTP/1.1\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ])('answers %s with a problem', async (_what, sent, status, code) => {
    const answer = await text(connect(Number(new URL(base).port), '127.0.0.1').end(sent));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject({ status, code });
  });

  const heads = {
    none: 'GET /uc/v1/things/1 HTTP/1.1\r\nConnection: close\r\n\r\n',
    two: 'GET /uc/v1/things/1 HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n',
    old: 'GET /uc/v1/things/1 HTTP/1.0\r\n\r\n',
    expecting: 'POST /uc/v1/things HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  };

  it.each([
    ['no host', heads.none, 400, { code: 'malformed', detail: 'The request has no Host header.' }],
    ['two hosts', heads.two, 400, { code: 'malformed', detail: 'The request has more than one Host header.' }],
    ['no host in an old protocol', heads.old, 200, { ok: true }],
    ['an unknown expectation', heads.expecting, 417, { status: 417, code: 'expectation-failed' }],
  ])('answers %s with a body', async (_what, sent, status, received) => {
    const answer = await text(connect(Number(new URL(base).port), '127.0.0.1').end(sent));
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body)).toMatchObject(received);
  });

  it('uses the path of an absolute URL as target, and rejects a target that is not a path', async () => {
    const sendRaw = async (method: string, path: string): Promise<number | undefined> => {
      const sent = request({ port: new URL(base).port, host: '127.0.0.1', method, path }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await sendRaw('GET', 'http://uc.example.test/ucwa/v1/things/1')).toBe(200);
    expect(await sendRaw('GET', 'HTTPS://uc.example.test')).toBe(404);
    expect(await sendRaw('GET', 'http://uc.example.test/nothing')).toBe(404);
    expect(await sendRaw('GET', 'ftp://uc.example.test/uc/v1/things/1')).toBe(404);
    expect(await sendRaw('OPTIONS', '*')).toBe(404);
  });

  it('answers a path that cannot be decoded with its own error', async () => {
    expect(await outcome('/uc/v1/%zz')).toMatchObject({ status: 400, body: { code: 'malformed' } });
  });

  it('never shows the details of an unexpected error', async () => {
    const { status, body } = await outcome('/uc/v1/broken');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('sends the headers of an error and a request id', async () => {
    const response = await fetch(`${base}/uc/v1/late`);
    expect(response.status).toBe(400);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('reports the port that is in use', async () => {
    const taken = Number(new URL(base).port);
    const second = await createListener({
      parts: [{ module, errorStyles: [problemStyle('/')] }],
      logger: createLogger('test', { logLevel: 'silent', logFormat: 'json' }),
      metrics: new Metrics(),
    });
    await expect(listen(second, taken, '127.0.0.1')).rejects.toThrow(`port ${taken} on 127.0.0.1 is in use`);
    await second.close();
  });
});
