import { RequestRefused, TokenRefused, UnexpectedAnswer, Unreachable } from './errors.js';
import { Requests, urlAt, type Fetch } from './requests.js';

const origin = 'https://uc.example.test';

interface SentRequest {
  readonly url: string;
  readonly init: RequestInit;
}

interface ScriptedSource {
  readonly requests: Requests;
  readonly sent: readonly SentRequest[];
  readonly refused: readonly string[];
}

/** A server with scripted answers: broken connections and faults cannot be produced with the real one. */
function dictated(answer: () => Response | Promise<Response>): ScriptedSource {
  const sent: SentRequest[] = [];
  const refused: string[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ url: url.href, init });
    return answer();
  };
  const options = { origin, fetch, authorization: () => 'Bearer t' };
  const requests = new Requests({ ...options, onTokenRefused: (each) => refused.push(each) });
  return { requests, sent, refused };
}

function failure(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

describe('a link', () => {
  it.each([
    ['/uc/v1/applications/1', '/uc/v1/applications/1'],
    ['/people/search?query=a', '/people/search?query=a'],
    ['https://other-name.example.test/uc/token', '/uc/token'],
    ['//elsewhere.test/uc/token', '/uc/token'],
  ])('to %s leads to %s of the page’s own origin', (href, path) => {
    expect(urlAt(origin, href).href).toBe(origin + path);
  });

  it('keeps its query when one is added', () => {
    expect(urlAt(origin, '/s?groupId=1', { query: 'a&b' }).href).toBe(`${origin}/s?groupId=1&query=a%26b`);
  });
});

describe('Requests', () => {
  it('sends the token, and JSON or text', async () => {
    const { requests, sent } = dictated(() => new Response(null, { status: 201, headers: { location: '/m/1' } }));
    expect(await requests.notify('/m', { body: { to: 'sip:bob@example.test' } })).toBe('/m/1');
    expect(await requests.notify('/m', { text: 'Hi', query: { operationId: 'o' } })).toBe('/m/1');
    expect(sent.map(({ url, init }) => [url, init.method, init.body])).toEqual([
      [`${origin}/m`, 'POST', '{"to":"sip:bob@example.test"}'],
      [`${origin}/m?operationId=o`, 'POST', 'Hi'],
    ]);
    expect(sent[0]?.init.headers).toMatchObject({ authorization: 'Bearer t', 'content-type': 'application/json' });
    expect(sent[1]?.init.headers).toMatchObject({ 'content-type': 'text/plain;charset=utf-8' });
  });

  it('sends no request without a token', async () => {
    const requests = new Requests({
      origin,
      fetch: () => Promise.reject(new Error('it was asked')),
      authorization: () => undefined,
      onTokenRefused: () => undefined,
    });
    await expect(requests.get('/me')).rejects.toThrow(TokenRefused);
  });

  it('reports the refused token', async () => {
    const { requests, refused } = dictated(() => new Response('<html>', { status: 401 }));
    await expect(requests.get('/me')).rejects.toThrow(TokenRefused);
    expect(refused).toEqual(['Bearer t']);
  });

  it('throws the reason of a rejection', async () => {
    const body = { code: 'Conflict', subcode: 'AlreadyExists', message: 'It is there.' };
    const { requests } = dictated(() => failure(409, body));
    await expect(requests.post('/g', { body: {} })).rejects.toMatchObject({
      name: 'RequestRefused',
      status: 409,
      code: 'Conflict',
      subcode: 'AlreadyExists',
      message: 'This already exists.',
    });
  });

  it('throws for a rejection without JSON', async () => {
    const { requests } = dictated(() => new Response('<html>', { status: 413 }));
    const refusal = new RequestRefused(413, { code: 'Unknown' }, 'The server responded with 413.');
    await expect(requests.get('/me')).rejects.toEqual(refusal);
  });

  it.each([429, 502, 503, 504])('treats %d as a server that is not ready', async (status) => {
    const { requests } = dictated(() => failure(status, { message: 'Not now.' }, { 'retry-after': '3' }));
    await expect(requests.get('/me')).rejects.toMatchObject({ name: 'Unreachable', retryAfterMs: 3000 });
  });

  it('ignores a date in Retry-After', async () => {
    const { requests } = dictated(() => failure(503, {}, { 'retry-after': 'Sat, 21 Nov 2026 00:00:00 GMT' }));
    await expect(requests.get('/me')).rejects.toMatchObject({ name: 'Unreachable', retryAfterMs: undefined });
  });

  it('reports a server that cannot be reached, or that closes the connection', async () => {
    await expect(dictated(() => Promise.reject(new TypeError('x'))).requests.get('/me')).rejects.toThrow(Unreachable);
    const broken = new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) });
    await expect(dictated(() => new Response(broken)).requests.get('/me')).rejects.toThrow(Unreachable);
  });

  it('reports an invalid answer', async () => {
    await expect(dictated(() => new Response('<html>')).requests.get('/me')).rejects.toThrow(UnexpectedAnswer);
  });

  it('rethrows an AbortError', async () => {
    const { requests } = dictated(() => Promise.reject(new DOMException('stopped', 'AbortError')));
    await expect(requests.get('/me', { signal: AbortSignal.abort() })).rejects.toThrow('stopped');
  });

  it('returns undefined for a missing file', async () => {
    const { requests } = dictated(() => failure(404, { code: 'NotFound' }));
    expect(await requests.getFile('/photo')).toBeUndefined();
    await expect(dictated(() => failure(403, {})).requests.getFile('/photo')).rejects.toThrow(RequestRefused);
  });
});
