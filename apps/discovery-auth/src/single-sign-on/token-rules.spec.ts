import { wrongPart, type VerifiedToken } from './token-rules.js';

const claims = { sub: 'alice-1', aud: 'ringdown' };
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

function wrong(more: object, typ?: unknown, isAnswer = false): string | undefined {
  const header: VerifiedToken['header'] = Object(typ === undefined ? {} : { typ });
  return wrongPart({ header, claims: { ...claims, ...more } }, { audiences: ['ringdown', 'bots'], isAnswer });
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
});
