import { wrongPart, type VerifiedToken } from './token-rules.js';

const claims = { sub: 'alice-1', aud: 'ringdown' };
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

function wrong(more: object, typ?: unknown, isAnswer = false): string | undefined {
  const header: VerifiedToken['header'] = Object(typ === undefined ? {} : { typ });
  const purpose = { audiences: ['ringdown', 'bots'], isAnswer, issuedBefore: 1_000 };
  return wrongPart({ header, claims: { ...claims, ...more } }, purpose);
}

describe('a token of the provider', () => {
  it.each([
    ['for one of our audiences', {}],
    ['for one of our audiences in a list', { aud: ['bots'] }],
    ['for several audiences that are all ours, requested by one of them', { aud: ['ringdown', 'bots'], azp: 'bots' }],
    ['for us alone, requested by another client', { azp: 'other' }],
    ['for several, with the client as client_id', { aud: ['ringdown', 'bots'], client_id: 'ringdown' }],
    ['that names its kind in a claim', { typ: 'ID' }],
    ['that names its kind as bearer', { typ: 'Bearer' }],
    ['with a long sub', { sub: 'x'.repeat(255) }],
    ['issued just now', { iat: 1_000 }],
    ['with the digest of an access token that did not come along', { at_hash: 'x' }],
  ])('signs in %s', (_what, more) => {
    expect(wrong(more)).toBeUndefined();
  });

  it.each(['JWT', 'jwt', 'at+jwt', 'application/at+jwt', 'AT+JWT'])('signs in with the type %s', (typ) => {
    expect(wrong({}, typ)).toBeUndefined();
  });

  it.each(['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'application/logout+jwt', 'JOSE', '', 7, null])(
    'does not sign in with the type %j',
    (typ) => {
      expect(wrong({}, typ)).toBe('typ');
    },
  );

  it.each<[string, object, string]>([
    ['that signs out', { events: LOGOUT }, 'events'],
    ['that signs out, with no event', { events: {} }, 'events'],
    ['that signs out, of Keycloak', { typ: 'Logout' }, 'typ'],
    ['that renews', { typ: 'Refresh' }, 'typ'],
    ['with a type that is no text', { typ: ['ID'] }, 'typ'],
    ['with a nonce', { nonce: 'n' }, 'nonce'],
    ['with an empty nonce', { nonce: '' }, 'nonce'],
    ['bound to a key', { cnf: { jkt: 'x' } }, 'cnf'],
    ['with an empty sub', { sub: '' }, 'sub'],
    ['with an endless sub', { sub: 'x'.repeat(256) }, 'sub'],
    ['with a sub that turns the text around it', { sub: 'alice\u202E-1' }, 'sub'],
    ['with a sub for terminals', { sub: '\u001B[2Jalice-1' }, 'sub'],
    ['issued in the future', { iat: 1_001 }, 'iat'],
    ['for others', { aud: 'other' }, 'aud'],
    ['for nobody', { aud: [] }, 'aud'],
    ['also for others', { aud: ['ringdown', 'other'], azp: 'ringdown' }, 'aud'],
    ['for several, of an unknown client', { aud: ['ringdown', 'bots'] }, 'azp'],
    ['for several, of a foreign client', { aud: ['ringdown', 'bots'], azp: 'other' }, 'azp'],
    [
      'for several, of a foreign client beside ours',
      { aud: ['ringdown', 'bots'], azp: 'other', client_id: 'bots' },
      'azp',
    ],
    ['for us twice, of a foreign client', { aud: ['ringdown', 'ringdown'], azp: 'other' }, 'azp'],
  ])('does not sign in %s', (_what, more, part) => {
    expect(wrong(more)).toBe(part);
  });

  it('may have a nonce and the audience of a project as the answer to a sign-in, and nothing else that is wrong', () => {
    expect(wrong({ nonce: 'n' }, 'JWT', true)).toBeUndefined();
    expect(wrong({ aud: ['ringdown', 'project'], azp: 'ringdown' }, 'JWT', true)).toBeUndefined();
    expect(wrong({ aud: ['ringdown', 'project'], azp: 'project' }, 'JWT', true)).toBe('azp');
    expect(wrong({ aud: ['project'], azp: 'ringdown' }, 'JWT', true)).toBe('aud');
    expect(wrong({ nonce: 'n', events: LOGOUT }, 'JWT', true)).toBe('events');
  });

  // Access token and digest of OpenID Connect Core, appendix A.3; the others by `openssl dgst`.
  it.each([
    ['RS256', '77QmUPtjPfzWtF2AnpK9RQ'],
    ['ES384', 'jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs'],
    ['EdDSA', 'q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM'],
    ['Ed25519', 'q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM'],
  ])('that came with an access token has its digest by %s', (alg, digest) => {
    const accessToken = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y';
    const purpose = { audiences: ['ringdown'], isAnswer: true, issuedBefore: 1_000, accessToken };
    const outcome = (at_hash: unknown): string | undefined =>
      wrongPart({ header: { alg }, claims: { ...claims, at_hash } }, purpose);
    expect([outcome(digest), outcome(undefined)]).toEqual([undefined, undefined]);
    for (const wrongDigest of ['', 7, null, `${digest}=`, 'AAAAAAAAAAAAAAAAAAAAAA']) {
      expect(outcome(wrongDigest)).toBe('at_hash');
    }
  });
});
