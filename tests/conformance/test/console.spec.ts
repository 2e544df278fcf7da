import { header, answerMediaType, type Answer } from '../src/answer.js';
import { WebClient } from '../src/web-client.js';

/** The page for operators; no interface describes it, but every deployment serves it in the same way. */
describe('the console', () => {
  const client = new WebClient();
  afterAll(() => client.close());

  function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return client.send({ url: path, headers });
  }

  it('redirects from the path without its slash', async () => {
    const { status, headers } = await get('/console');
    expect([status, headers.location]).toEqual([308, '/console/']);
  });

  it.each(['/console/', '/console/live', '/console/calls/some%2Fcall'])(
    'is one page, revalidated each time and isolated from other origins, at %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answerMediaType(answer)]).toEqual([200, 'text/html']);
      expect(answer.body).toContain('<title>');
      expect(header(answer, 'cache-control')).toBe('no-cache');
      expect(header(answer, 'content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(header(answer, 'content-security-policy')).not.toContain('unsafe');
      expect(header(answer, 'cross-origin-opener-policy')).toBe('same-origin');
      expect(header(answer, 'referrer-policy')).toBe('no-referrer');
      expect(header(answer, 'x-content-type-options')).toBe('nosniff');
    },
  );

  it('has only its own scripts and styles, which may be cached forever', async () => {
    const { body } = await get('/console/');
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file);
    expect(files.filter((file) => !file.startsWith('/console/'))).toEqual([]);
    const assets = files.filter((file) => file.startsWith('/console/assets/'));
    expect(assets.length).toBeGreaterThan(1);
    for (const file of assets) {
      const answer = await get(file);
      expect([file, answer.status, header(answer, 'cache-control')]).toEqual([
        file,
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(answerMediaType(answer)).toMatch(file.endsWith('.css') ? /^text\/css$/ : /javascript$/);
    }
  });

  it('is compressed for clients that accept it', async () => {
    expect(header(await get('/console/', { 'accept-encoding': 'gzip' }), 'content-encoding')).toBe('gzip');
    expect((await get('/console/', { 'accept-encoding': 'identity' })).headers['content-encoding']).toBeUndefined();
  });

  it.each(['/console/assets/none.js', '/console/assets/..%2f..%2fpackage.json', '/console/assets/'])(
    'returns 404 at %s',
    async (path) => {
      const { status, body } = await get(path);
      expect(status).toBe(404);
      expect(body).not.toContain('<title>');
    },
  );
});
