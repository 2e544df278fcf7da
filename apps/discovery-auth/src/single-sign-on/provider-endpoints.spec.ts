import { unsafeEndpoint } from './provider-endpoints.js';

const SAFE = {
  authorization_endpoint: 'https://sso.test/auth',
  token_endpoint: 'https://sso.test/token',
  jwks_uri: 'https://keys.test/jwks',
};

describe('the endpoints of a provider', () => {
  it('may be missing, and on other hosts', () => {
    expect(unsafeEndpoint(SAFE, false)).toBeUndefined();
    expect(unsafeEndpoint({ jwks_uri: SAFE.jwks_uri }, false)).toBeUndefined();
  });

  it.each([
    ['jwks_uri', 'http://sso.test/jwks'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['token_endpoint', 'token'],
    ['end_session_endpoint', 'http://sso.test/end'],
    ['end_session_endpoint', ''],
  ])('are rejected for %s %j', (name, endpoint) => {
    expect(unsafeEndpoint({ ...SAFE, [name]: endpoint }, false)).toBe(name);
  });

  it('may be unencrypted for a provider on this machine, with no other protocol', () => {
    const local = { ...SAFE, jwks_uri: 'http://localhost:8080/jwks' };
    expect(unsafeEndpoint(local, true)).toBeUndefined();
    for (const end of ['file:///x', 'http://10.0.0.5/end', 'http://localhost.evil.test/end', 'http://u@10.0.0.5/'])
      expect([end, unsafeEndpoint({ ...local, end_session_endpoint: end }, true)]).toEqual([
        end,
        'end_session_endpoint',
      ]);
  });
});
