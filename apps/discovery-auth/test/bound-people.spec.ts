import { directorySettingsFor } from '@ringdown/testing/directory-access';
import { eventually } from '@ringdown/testing/eventually';
import { staff } from '@ringdown/testing/ldif';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { startSlapd } from '@ringdown/testing/servers/slapd';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { people as runPeople, request, tokenFor } from './administered-people.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const OTHER = '400 OtherAccount';

describe('the account of a person at the provider', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-bound-'));
  const started = new Started();
  let nats: TestNats;
  let provider: OpenIdServer;
  let service: RunningService;
  let admin: string;

  beforeAll(async () => {
    nats = started.add(await startNats());
    const options = { clientId: 'ringdown', clientSecret: 'a secret', redirectUris: [], people: {} };
    provider = started.add(await startOpenIdServer(options));
    service = await serviceWith({ OIDC_UNKNOWN_PEOPLE: 'create' });
    admin = String(await tokenFor(service, 'carol', await firstUserPassword(dataDir, 'carol')));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(dataDir, { recursive: true });
  });

  async function serviceWith(more: Record<string, string>, bus = nats): Promise<RunningService> {
    const env = { DATA_DIR: dataDir, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'ringdown', ...more };
    return started.add(await startService(bus.urlOf('discovery-auth'), env));
  }

  async function exchange(sub: string, name: string, { base }: RunningService): Promise<Response> {
    return postForm(base, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await provider.sign({ sub, aud: 'ringdown', preferred_username: name }),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });
  }

  /** The username of who signs in with a token with this `sub` and name, or why nobody does. */
  async function signIn(sub: string, name: string, at = service): Promise<string> {
    const response = await exchange(sub, name, at);
    const answer = Object(await response.json());
    return response.status === 200 ? String(answer.username) : `${response.status} ${String(answer.subcode)}`;
  }

  const people = (...argv: string[]): Promise<string> => runPeople(nats.urlOf('discovery-auth'), ...argv);

  it('is bound at the first sign-in, and no other account with the name is the person', async () => {
    await people('add', 'made@example.test', '--name', 'Made Before');
    await eventually(
      'the first sign-in',
      async () => (await signIn('m1', 'made@example.test')) === 'made@example.test',
    );
    expect(await signIn('m2', 'made@example.test')).toBe(OTHER);
    expect(await signIn('m2', 'sip:MADE@example.test')).toBe(OTHER);
    expect(await signIn('m1', 'made@example.test')).toBe('made@example.test');
  });

  it('stays the same person under another name there, also under the name of another person or of nobody', async () => {
    expect(await signIn('e1', 'eve@example.test')).toBe('eve@example.test');
    for (const name of ['eve.new@example.test', 'bob@example.test', 'eve@other.test', '']) {
      expect(await signIn('e1', name)).toBe('eve@example.test');
    }
    expect(await signIn('b1', 'bob@example.test')).toBe('bob@example.test');
  });

  it('is bound once by sign-ins at the same time', async () => {
    const subjects = Array.from({ length: 5 }, (_, index) => `r${index}`);
    const outcomes = await Promise.all(subjects.map((sub) => signIn(sub, 'raced@example.test')));
    expect(outcomes.toSorted()).toEqual([OTHER, OTHER, OTHER, OTHER, 'raced@example.test'].toSorted());
  });

  it('follows a rename here, and leaves the old name to a new person', async () => {
    expect(await signIn('o1', 'old@example.test')).toBe('old@example.test');
    await people('rename', 'old@example.test', 'new@example.test');
    expect(await signIn('o1', 'old@example.test')).toBe('new@example.test');
    expect(await signIn('o2', 'new@example.test')).toBe(OTHER);
    expect(await signIn('o3', 'old@example.test')).toBe('old@example.test');
    expect(await signIn('o1', 'old@example.test')).toBe('new@example.test');
  });

  it('is not bound to a later person with the username of one who was removed', async () => {
    expect(await signIn('l1', 'leaver@example.test')).toBe('leaver@example.test');
    await people('remove', 'leaver@example.test');
    await people('add', 'leaver@example.test', '--name', 'Another Person');
    await eventually(
      'the new person',
      async () => (await signIn('l2', 'leaver@example.test')) === 'leaver@example.test',
    );
    expect(await signIn('l1', 'leaver@example.test')).toBe(OTHER);
  });

  it('leaves no session to a person who gets the username while no service runs', async () => {
    const bus = started.add(await startNats());
    const before = await serviceWith({ OIDC_UNKNOWN_PEOPLE: 'create' }, bus);
    const tokens: string[] = [];
    for (const name of ['leaver', 'mover', 'stayer']) {
      const answer = await exchange(name, `${name}@example.test`, before);
      tokens.push(String(Object(await answer.json()).access_token));
    }
    await before.stop();
    await runPeople(bus.urlOf('discovery-auth'), 'remove', 'leaver@example.test');
    await runPeople(bus.urlOf('discovery-auth'), 'rename', 'mover@example.test', 'moved@example.test');
    for (const name of ['leaver', 'mover'])
      await runPeople(bus.urlOf('discovery-auth'), 'add', `${name}@example.test`, '--name', 'Another Person');
    const { base } = await serviceWith({ OIDC_UNKNOWN_PEOPLE: 'create' }, bus);
    const answers = tokens.map((token) =>
      fetch(`${base}/uc/discovery/user`, { headers: { authorization: `Bearer ${token}` } }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 200]);
  });

  it('is ended by the command unbind, and with it all sessions', async () => {
    expect(await signIn('u1', 'unbound@example.test')).toBe('unbound@example.test');
    expect(await signIn('u2', 'unbound@example.test')).toBe(OTHER);
    await people('unbind', 'unbound@example.test');
    const sessions = await request(service, admin, '/unbound@example.test/sessions');
    expect(Object(sessions.body).items).toEqual([]);
    expect(await signIn('u2', 'unbound@example.test')).toBe('unbound@example.test');
    expect(await signIn('u1', 'unbound@example.test')).toBe(OTHER);
  });

  it('is shown to administrators, who end the binding and with it all sessions', async () => {
    expect(await signIn('f1', 'forgotten@example.test')).toBe('forgotten@example.test');
    const path = '/forgotten@example.test/identity';
    const shown = await request(service, admin, path);
    expect(shown).toMatchObject({ status: 200, body: { issuer: provider.issuer, subject: 'f1' } });
    expect(await request(service, admin, path, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await request(service, admin, path)).toMatchObject({ status: 404, body: { code: 'no-identity' } });
    const sessions = await request(service, admin, '/forgotten@example.test/sessions');
    expect(Object(sessions.body).items).toEqual([]);
    expect(await signIn('f2', 'forgotten@example.test')).toBe('forgotten@example.test');
    expect(await signIn('f1', 'forgotten@example.test')).toBe(OTHER);
  });

  it('is the same after a restart, for every replica', async () => {
    expect(await signIn('s1', 'stays@example.test')).toBe('stays@example.test');
    const replica = await serviceWith({ OIDC_UNKNOWN_PEOPLE: 'create' });
    expect(await signIn('s2', 'stays@example.test', replica)).toBe(OTHER);
    expect(await signIn('s1', 'other@example.test', replica)).toBe('stays@example.test');
  });

  it('is not created with a name that looks like another one', async () => {
    expect(await signIn('z1', 'zo\u034Fe@example.test')).toBe('400 NameNotPossible');
  });

  it('is bound to a person of a directory server, whose new username is the same person', async () => {
    const slapd = started.add(await startSlapd({ entries: staff(3) }));
    const bus = started.add(await startNats());
    const byDirectory = await serviceWith(directorySettingsFor(slapd.url), bus);
    expect(await signIn('d1', 'p1@example.test', byDirectory)).toBe('p1@example.test');
    expect(await signIn('d2', 'p1@example.test', byDirectory)).toBe(OTHER);
    expect(await signIn('d1', 'p2@example.test', byDirectory)).toBe('p1@example.test');
  });
});
