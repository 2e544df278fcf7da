import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { Started } from '@ringdown/testing/started';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPeopleCommand } from '../src/people-command/people-command.js';
import { postForm, startService, type RunningService } from './running-service.js';

const CALLBACK = 'https://uc.example.test/console/';

describe('people whom only the provider knows', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-created-'));
  const started = new Started();
  let nats: TestNats;
  let provider: OpenIdServer;
  let creating: RunningService;
  const eve = {
    sub: 'eve',
    aud: 'ringdown',
    preferred_username: 'Eve@example.test',
    name: 'Eve Evans',
    email: 'eve.evans@example.test',
    email_verified: true,
    groups: ['noc'],
  };
  beforeAll(async () => {
    nats = started.add(await startNats());
    provider = started.add(
      await startOpenIdServer({ clientId: 'ringdown', clientSecret: 'a secret', redirectUris: [CALLBACK], people: {} }),
    );
    const env = {
      DATA_DIR: dataDir,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'ringdown',
      OIDC_UNKNOWN_PEOPLE: 'create',
      OIDC_ROLES_CLAIM: 'groups',
      OIDC_OPERATOR_VALUE: 'noc',
    };
    creating = started.add(await startService(nats.urlOf('discovery-auth'), env));
  });

  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function answerOf(response: Response): Promise<[number, Record<string, unknown>]> {
    return [response.status, Object(await response.json())];
  }

  async function meOf(claims: Record<string, unknown>): Promise<[number, Record<string, unknown>]> {
    return answerOf(
      await postForm(creating.base, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: await provider.sign(claims),
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      }),
    );
  }

  it('adds a person once, with what the token says, for sign-ins at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => meOf(eve)));
    for (const [status, token] of answers) {
      expect([status, token['username']]).toEqual([200, 'eve@example.test']);
    }
    const out = await commandOf('export');
    expect(out.split('\n').filter((line) => line.includes('"eve@example.test"'))).toHaveLength(1);
    expect(out).toContain(
      '{"username":"eve@example.test","name":"Eve Evans","sipAddress":"sip:eve@example.test","mail":"eve.evans@example.test"',
    );
    const [, token] = answers[0] ?? [];
    const tokenHash = createHash('sha256').update(String(token?.['access_token'])).digest('hex');
    const found: unknown = await creating.bus.request('ringdown.tokens.introspect', { tokenHash }, 2_000);
    expect(found).toMatchObject({ principal: { roles: ['user', 'operator'] } });
    const headers = { authorization: `Bearer ${String(token?.['access_token'])}` };
    const body = JSON.stringify({ current: 'x', new: 'correct horse battery' });
    const change = await fetch(`${creating.base}/api/me/password`, { method: 'POST', headers, body });
    expect(await answerOf(change)).toMatchObject([409, { code: 'no-password' }]);
    const sessions = Object(await (await fetch(`${creating.base}/api/me/sessions`, { headers })).json()).items;
    expect(sessions[0]).toMatchObject({ signedInWith: 'single-sign-on' });
  });

  it.each([
    ['of another domain', { sub: 'e2', preferred_username: 'eve@other.test' }, 'but this server does not'],
    [
      'with an impossible name',
      { sub: 'e3', preferred_username: 'e ve@example.test' },
      'a name that is not possible here',
    ],
  ])('rejects a person %s', async (_what, given, words) => {
    const [status, answer] = await meOf({ ...eve, ...given });
    expect([status, answer['error_description']]).toEqual([400, expect.stringContaining(words)]);
  });

  it.each([
    ['bidi', 'Eve\u202Esnave'],
    ['zero', 'Eve\u200BEvans'],
    ['line', 'Eve\u2028Evans'],
    ['ctrl', 'Eve\u0007Evans'],
    ['none', ''],
  ])('shows the username of a person whose name administrators could not enter: %s', async (sub, name) => {
    const username = `${sub}@example.test`;
    expect((await meOf({ ...eve, sub, name, preferred_username: username }))[0]).toBe(200);
    expect(await commandOf('export')).toContain(`{"username":"${username}","name":"${username}"`);
  });

  it('rejects a created person who is blocked', async () => {
    await meOf(eve);
    await commandOf('block', 'eve@example.test');
    await eventually('the block', async () => (await meOf(eve))[0] === 400);
    expect((await meOf(eve))[1]).toMatchObject({ error_description: expect.stringContaining('blocked you') });
  });

  async function commandOf(...argv: string[]): Promise<string> {
    let out = '';
    const code = await runPeopleCommand(argv, {
      env: { NATS_URL: nats.urlOf('discovery-auth') },
      readInput: () => Promise.resolve(''),
      out: (text) => void (out += text),
      err: () => undefined,
    });
    expect(code).toBe(0);
    return out;
  }
});
