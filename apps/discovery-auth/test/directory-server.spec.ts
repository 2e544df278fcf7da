import { eventually } from '@ringdown/testing/eventually';
import { startNats } from '@ringdown/testing/servers/nats';
import type { TestDirectory } from '@ringdown/testing/servers/slapd';
import { Started } from '@ringdown/testing/started';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWithDirectory } from './directory-service.js';
import { postForm, type RunningService } from './running-service.js';

describe('users of a directory server', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-auth-'));
  const started = new Started();
  let slapd: TestDirectory;
  let service: RunningService;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const settings = { DIRECTORY_REFRESH_SECONDS: '1' };
    const natsUrl = nats.urlOf('discovery-auth');
    ({ slapd, service } = await startWithDirectory(started, { natsUrl, dataDir, people: 50, settings }));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  function signIn(username: string, password: string): Promise<Response> {
    return postForm(service.base, { grant_type: 'password', username, password });
  }

  async function tokenOf(response: Response): Promise<string> {
    const { access_token: token } = (await response.json()) as { access_token: string };
    return token;
  }

  it('sign in with their password there, in every form of their name', async () => {
    for (const name of ['p1@example.test', 'P1', 'EXAMPLE\\p1', 'sip:p1@example.test']) {
      expect((await signIn(name, 'password of p1')).status).toBe(200);
    }
    expect(existsSync(join(dataDir, 'first-users.json'))).toBe(false);
  });

  it.each(['p2', 'nobody', '*', 'p1)(uid=*', 'p1*', '\\'])('as %j with a wrong password are rejected', async (name) => {
    const response = await signIn(name, 'password of p1');
    expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  it('change their password there, and have sessions here', async () => {
    const headers = { authorization: `Bearer ${await tokenOf(await signIn('p4', 'password of p4'))}` };
    const body = JSON.stringify({ current: 'password of p4', new: 'correct horse battery' });
    const answer = await fetch(`${service.base}/api/me/password`, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: 'password-elsewhere', detail: expect.stringContaining('the directory of your organisation') },
    ]);
    const sessions = Object(await (await fetch(`${service.base}/api/me/sessions`, { headers })).json()).items;
    expect(sessions).toMatchObject([{ current: true, signedInWith: 'password' }]);
  });

  it('are rejected without a password', async () => {
    expect((await signIn('p1', '')).status).toBe(400);
  });

  it('keep their tokens while the directory is down; each sign-in then reports the outage', async () => {
    const token = await tokenOf(await signIn('p1', 'password of p1'));
    await slapd.kill();
    try {
      for (const password of ['password of p1', 'wrong']) {
        const response = await signIn('p1', password);
        expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
          503,
          '5',
          {
            error: 'temporarily_unavailable',
            error_description: 'The user directory does not respond; try again shortly.',
          },
        ]);
      }
      const user = await fetch(`${service.base}/uc/discovery/user`, { headers: { authorization: `Bearer ${token}` } });
      expect(user.status).toBe(200);
    } finally {
      await slapd.restart();
    }
    await eventually('the sign-in to succeed', async () => (await signIn('p1', 'password of p1')).ok);
  });
});
