import { at, header, json } from '../src/answer.js';
import { createSession, signIn, tokenServiceIn } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('the owner of a token', () => {
  const client = new WebClient();
  const { names, user, operator } = client.system;
  const url = '/api/me';
  afterAll(() => client.close());

  it.each([user, operator])('is returned to $username, with the roles in the directory', async (known) => {
    const answer = await client.call('readCaller', { url, token: await signIn(client, known) });
    expect([answer.status, header(answer, 'cache-control')]).toEqual([200, 'no-store']);
    expect(json(answer)).toMatchObject({ username: known.username, roles: expect.arrayContaining(['user']) });
    for (const role of ['operator', 'reveal']) {
      expect([role, JSON.stringify(at(json(answer), 'roles')).includes(role)]).toEqual([
        role,
        known.roles.includes(role),
      ]);
    }
    expect(Date.parse(String(at(json(answer), 'expiresAt')))).toBeGreaterThan(Date.now());
  });

  it('is the same person as in the web interface', async () => {
    const { self, token } = await createSession(client, user, unique('caller-'));
    const me = await client.call('readMe', { url: `${self}/me`, token });
    const caller = await client.call('readCaller', { url, token });
    expect(at(json(caller), 'sipAddress')).toBe(at(json(me), 'uri'));
  });

  it('is not returned without a token', async () => {
    for (const token of [undefined, 'y'.repeat(43)]) {
      const answer = await client.call('readCaller', { url, token });
      expect([answer.status, at(json(answer), 'code')]).toEqual([401, 'unauthorized']);
      expect(tokenServiceIn(answer, names.challengeScheme)).toMatch(/^https:/);
    }
  });

  it('is not returned when the request has parameters', async () => {
    const answer = await client.call('readCaller', { url: `${url}?who=you`, token: await signIn(client, user) });
    expect([answer.status, at(json(answer), 'code')]).toEqual([400, 'bad-parameter']);
  });
});
