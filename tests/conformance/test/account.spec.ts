import { at, json } from '../src/answer.js';
import { signIn } from '../src/sign-in.js';
import { WebClient } from '../src/web-client.js';

describe('the own account', () => {
  const client = new WebClient();
  const { user } = client.system;
  afterAll(() => client.close());

  it('has the rules for a new password', async () => {
    const token = await signIn(client, user);
    const answer = await client.call('readPasswordRules', { url: '/api/me/password-rules', token });
    expect([answer.status, Number(at(json(answer), 'minLength'))]).toEqual([200, expect.any(Number)]);
  });

  it('lists its sessions, and ends one', async () => {
    const [own, other] = [await signIn(client, user), await signIn(client, user)];
    const list = await client.call('listOwnSessions', { url: '/api/me/sessions', token: other });
    expect(list.status).toBe(200);
    const current = Object(json(list)).items.find((each: { current: boolean }) => each.current);
    const url = `/api/me/sessions/${current.id}`;
    expect((await client.call('endOwnSession', { url, method: 'DELETE', token: own })).status).toBe(204);
    expect((await client.call('listOwnSessions', { url: '/api/me/sessions', token: other })).status).toBe(401);
    const again = await client.call('endOwnSession', { url, method: 'DELETE', token: own });
    expect([again.status, at(json(again), 'code')]).toEqual([404, 'no-such-session']);
  });

  it('rejects a bad new password and a wrong current one', async () => {
    const token = await signIn(client, user);
    const change = (body: unknown): ReturnType<WebClient['call']> =>
      client.call('changeOwnPassword', {
        url: '/api/me/password',
        method: 'POST',
        token,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const short = await change({ current: 'x', new: 'short' });
    // People in a directory server have their passwords there.
    const elsewhere = '409 password-elsewhere';
    expect(['400 bad-parameter', elsewhere]).toContain(`${short.status} ${String(at(json(short), 'code'))}`);
    const wrong = await change({ current: 'not this one', new: 'correct horse battery' });
    expect(['403 wrong-password', elsewhere]).toContain(`${wrong.status} ${String(at(json(wrong), 'code'))}`);
  });
});
