import { withRedirectUri } from './bounded-fetch.js';

describe('a request to the provider', () => {
  async function sent(body: URLSearchParams | undefined, redirectUri: string): Promise<string | undefined> {
    const requests: (string | undefined)[] = [];
    const fetch = withRedirectUri((_url, request) => {
      requests.push(request.body instanceof URLSearchParams ? request.body.toString() : undefined);
      return Promise.resolve(new Response());
    }, redirectUri);
    await fetch('https://provider.test/token', {
      method: 'POST',
      headers: {},
      ...(body === undefined ? {} : { body }),
    });
    return requests[0];
  }

  // A loopback address without a path (RFC 8252, section 7.3), and a query (RFC 6749, section 3.1.2).
  it.each([
    'http://127.0.0.1:51004',
    'https://app.test/cb?tenant=1',
    'https://APP.test/cb',
    'https://app.test/console/',
  ])('has the redirect URI as the client has written it: %s', async (redirectUri) => {
    const form = new URLSearchParams({ redirect_uri: new URL(redirectUri).origin, code: 'c' });
    expect(await sent(form, redirectUri)).toBe(`redirect_uri=${encodeURIComponent(redirectUri)}&code=c`);
  });

  it('stays as it is without one', async () => {
    expect(await sent(new URLSearchParams({ code: 'c' }), 'https://app.test/cb')).toBe('code=c');
    expect(await sent(undefined, 'https://app.test/cb')).toBeUndefined();
  });
});
