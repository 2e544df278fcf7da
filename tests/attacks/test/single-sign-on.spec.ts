import type { Answer } from '@ringdown/testing/launched-system';
import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { runningSystem } from '../src/running-system.js';

const TYPE = 'urn:ietf:params:oauth:token-type:id_token';
const LOGOUT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

let provider: OpenIdServer;
beforeAll(async () => {
  const options = { clientId: 'ringdown', clientSecret: 'a secret', redirectUris: [], people: {} };
  provider = await startOpenIdServer(options);
});
afterAll(() => provider.stop());

const system = runningSystem(() => ({ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'ringdown' }));
const alice = { sub: 'alice-1', aud: 'ringdown', preferred_username: 'alice@example.test' };

async function exchange(claims: object, typ = 'JWT'): Promise<Answer> {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: await provider.sign({ ...claims }, { typ }),
    subject_token_type: TYPE,
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return system.client.request('/uc/token', { method: 'POST', headers, body });
}

describe('an attacker with a token of the sign-in provider', () => {
  it.each<[string, object, string]>([
    ['was an answer to a sign-in, as in the address of a sign-out', { ...alice, nonce: 'n-0S6' }, 'JWT'],
    ['signs somebody out', { ...alice, events: LOGOUT }, 'JWT'],
    ['signs somebody out by its type', alice, 'logout+jwt'],
    ['is also for another server', { ...alice, aud: ['ringdown', 'other'], azp: 'ringdown' }, 'JWT'],
    ['another client has requested for several', { ...alice, aud: ['ringdown', 'ringdown'], azp: 'other' }, 'JWT'],
    ['is bound to the key of another client', { ...alice, cnf: { jkt: 'x' } }, 'JWT'],
  ])('gets no access if the token %s', async (_what, claims, typ) => {
    const { status, text } = await exchange(claims, typ);
    expect([status, JSON.parse(text)]).toMatchObject([400, { error: 'invalid_grant', subcode: 'TokenInvalid' }]);
  });

  it('does not become another person by taking the name of that person there', async () => {
    const first = await exchange(alice);
    expect([first.status, JSON.parse(first.text)]).toMatchObject([200, { username: alice.preferred_username }]);
    const { status, text } = await exchange({ ...alice, sub: 'mallory-1' });
    expect([status, JSON.parse(text)]).toMatchObject([400, { subcode: 'OtherAccount' }]);
  });
});
