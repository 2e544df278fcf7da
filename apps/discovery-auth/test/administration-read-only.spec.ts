import { directorySettingsFor } from '@ringdown/testing/directory-access';
import { eventually } from '@ringdown/testing/eventually';
import { staff, PEOPLE_DN } from '@ringdown/testing/ldif';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { startOpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { startSlapd } from '@ringdown/testing/servers/slapd';
import { Started } from '@ringdown/testing/started';
import { editPeopleFile, ensureFirstUsers } from '@ringdown/directory/people-file';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isValid, request, tokenFor } from './administered-people.js';
import { firstUserPassword, postForm, startService, type RunningService } from './running-service.js';

const DAVE = { username: 'dave@example.test', name: 'Dave' };

describe('the administration of people who are stored elsewhere', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ringdown-admin-'));
  const started = new Started();
  let nats: TestNats;

  /** All replicas on one bus have the same people. */
  beforeEach(async () => {
    nats = started.add(await startNats());
  });
  afterEach(() => started.stopAll());
  afterAll(() => rmSync(dataDir, { recursive: true }));

  async function rejectsChanges(service: RunningService, token: string, name: string, where: string): Promise<void> {
    const [method, path] = ['PUT', `/${name}@example.test`];
    for (const [at, of] of [
      ['', { method: 'POST', body: DAVE }],
      [path, { method, body: { ...DAVE, username: `${name}@example.test` }, ifMatch: '*' }],
      [path, { method: 'DELETE' }],
      [`${path}/password`, { method: 'POST', ifMatch: '*' }],
    ] as const) {
      const { status, body } = await request(service, token, at, of);
      expect([status, body]).toMatchObject([409, { code: 'people-elsewhere', detail: expect.stringContaining(where) }]);
    }
  }

  it('reads people of a file and ends their sessions, and rejects changes', async () => {
    const { peopleFile: file } = await ensureFirstUsers(dataDir, 'example.test');
    await editPeopleFile(file, (all) =>
      all.map((person) => (person.name === 'Carol Cooper' ? { ...person, roles: ['user', 'admin'] } : person)),
    );
    const service = started.add(await startService(nats.peopleUrl, { DATA_DIR: dataDir, PEOPLE_FILE: file }));
    const admin = String(await tokenFor(service, 'carol', await firstUserPassword(dataDir, 'carol')));
    const token = String(await tokenFor(service, 'bob', await firstUserPassword(dataDir, 'bob')));
    const { body: list } = await request(service, admin, '?search=bob');
    expect(list).toMatchObject({
      items: [{ username: 'bob@example.test', blocked: false }],
      next: null,
      source: 'file',
    });
    const { body: bob } = await request(service, admin, '/bob@example.test');
    expect(bob).toMatchObject({ name: 'Bob Baker', hasPassword: null });
    await rejectsChanges(service, admin, 'bob', 'PEOPLE_FILE');
    expect((await request(service, admin, '/bob@example.test/sessions', { method: 'DELETE' })).status).toBe(204);
    await eventually('the end of the token', async () => !(await isValid(service, token)));
  });

  it('admits the members of the group of administrators of a directory server, and no other person', async () => {
    const dn = `cn=admins,${PEOPLE_DN}`;
    const admins = { dn, objectClass: 'groupOfNames', cn: 'admins', member: `uid=p3,${PEOPLE_DN}` };
    const slapd = started.add(await startSlapd({ entries: [...staff(5), admins] }));
    const env = { DATA_DIR: dataDir, ...directorySettingsFor(slapd.url), DIRECTORY_ADMINS_GROUP: dn };
    const service = started.add(await startService(nats.peopleUrl, env));
    const statusFor = async (name: string): Promise<number> =>
      (await request(service, String(await tokenFor(service, name, `password of ${name}`)), '')).status;
    expect([await statusFor('p3'), await statusFor('p2')]).toEqual([200, 403]);
  });

  it('reads people of a directory server, and rejects changes', async () => {
    const clientSecret = 'a secret';
    const provider = started.add(
      await startOpenIdServer({ clientId: 'ringdown', clientSecret, redirectUris: ['https://x.test/'], people: {} }),
    );
    const slapd = started.add(await startSlapd({ entries: staff(5) }));
    const openId = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'ringdown',
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_ROLES_CLAIM: 'groups',
      OIDC_ADMIN_VALUE: 'admins',
    };
    const env = { DATA_DIR: dataDir, ...directorySettingsFor(slapd.url), ...openId };
    const service = started.add(await startService(nats.peopleUrl, env));
    const claims = { sub: 'p1', aud: 'ringdown', preferred_username: 'p1@example.test', groups: ['admins'] };
    const answer = await postForm(service.base, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: await provider.sign(claims),
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    });
    const admin = String(Object(await answer.json()).access_token);
    const token = String(await tokenFor(service, 'p2', 'password of p2'));
    const { body: list } = await request(service, admin, '?search=p2@');
    expect(list).toMatchObject({ items: [{ username: 'p2@example.test' }], source: 'directory' });
    await rejectsChanges(service, admin, 'p2', 'DIRECTORY_URL');
    const path = '/p2@example.test/sessions';
    const { body: sessions } = await request(service, admin, path);
    const [{ id }] = Object(sessions).items;
    expect((await request(service, admin, `${path}/${id}`, { method: 'DELETE' })).status).toBe(204);
    await eventually('the end of the token', async () => !(await isValid(service, token)));
  });
});
