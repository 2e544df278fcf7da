import fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip, compressAnswers } from './compression.js';

describe('a client', () => {
  it.each(['gzip', 'deflate, gzip', 'GZIP;q=0.5', 'x-gzip', '*', 'br;q=1, *;q=0.1', 'gzip ; q=1.0'])(
    'accepts compressed responses with "%s"',
    (header) => {
      expect(acceptsGzip(header)).toBe(true);
    },
  );

  it.each([undefined, '', 'identity', 'br', 'gzip;q=0', 'gzip;q=0.0, *', '*;q=0', 'gzippy'])(
    'accepts only uncompressed responses with "%s"',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});

describe('a response', () => {
  let server: FastifyInstance;
  beforeAll(() => {
    server = fastify();
    compressAnswers(server);
    server.get('/:type/:bytes', (request, reply) => {
      const { type, bytes } = Object(request.params);
      void reply.header('etag', '"7"').header('cache-control', type === 'secret' ? 'no-store' : 'no-cache');
      void reply.type(type === 'photo' ? 'image/png' : 'application/json; charset=utf-8');
      return reply.send(Buffer.from('é'.repeat(Number(bytes) / 2)));
    });
  });
  afterAll(() => server.close());

  function get(url: string, encoding: string): Promise<LightMyRequestResponse> {
    return server.inject({ url, headers: { 'accept-encoding': encoding } });
  }

  it('is compressed when the client accepts it, whatever its length', async () => {
    for (const bytes of [2, 1_400, 100_000]) {
      const { headers, rawPayload } = await get(`/text/${bytes}`, 'gzip');
      expect(headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-length': String(rawPayload.length),
        vary: 'accept-encoding',
        etag: 'W/"7"',
      });
      expect(gunzipSync(rawPayload).toString()).toBe('é'.repeat(bytes / 2));
    }
  });

  it.each([
    ['it is empty', '/text/0', 'gzip', undefined],
    ['the client does not accept it', '/text/1400', 'identity', 'accept-encoding'],
    ['it must not be stored', '/secret/1400', 'gzip', undefined],
    ['it is a photo', '/photo/1400', 'gzip', undefined],
  ])('is not compressed when %s', async (_why, url, encoding, vary) => {
    const { headers, rawPayload } = await get(url, encoding);
    expect([headers['content-encoding'], headers['etag'], headers['vary']]).toEqual([undefined, '"7"', vary]);
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(rawPayload.length).toBe(Number(url.split('/').at(-1)));
  });
});
