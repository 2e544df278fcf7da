import { SettingsError } from '@ringdown/settings';
import { eventually } from '@ringdown/testing/eventually';
import { PEOPLE_DN, staff } from '@ringdown/testing/ldif';
import { startSlapd, type TestDirectory } from '@ringdown/testing/servers/slapd';
import { shortestMs } from '@ringdown/testing/timing';
import { authenticate } from './authenticate.js';
import { DirectoryUnavailable } from '../src/index.js';
import { asAdmin, OpenDirectories, settingsFor, type Opened } from './ldap-under-test.js';
import { Relay } from './relay.js';

const QUICK = { DIRECTORY_REFRESH_SECONDS: '1', DIRECTORY_FULL_REFRESH_SECONDS: '1', DIRECTORY_ANSWER_MS: '500' };

describe('LdapDirectory', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory;

  beforeAll(async () => {
    slapd = await startSlapd({ entries: staff(1_200), limits: 'size.soft=unlimited size.hard=unlimited' });
  });
  afterAll(async () => {
    await open.closeAll();
    await slapd.stop();
  });

  function signIn({ directory }: Opened, password = 'password of p1'): Promise<unknown> {
    return authenticate(directory, 'p1@example.test', password);
  }

  /** On a busy machine a response may take longer than the short limits of these tests. */
  function signedIn(opened: Opened): Promise<unknown> {
    return eventually('a sign-in to succeed', () => signIn(opened).catch(() => false));
  }

  it('reconnects after an outage; meanwhile people stay known and sign-ins fail', async () => {
    const opened = await open.open({ ...settingsFor(slapd.url), ...QUICK });
    const { directory, health, metrics, log } = opened;
    expect(await signedIn(opened)).toMatchObject({ username: 'p1@example.test' });
    await slapd.kill();
    try {
      await expect(signIn(opened)).rejects.toThrow(DirectoryUnavailable);
      await expect(signIn(opened, 'wrong')).rejects.toThrow(/ECONNREFUSED/);
      await eventually('the problem to be reported', () => directory.problem);
      expect(log()).toContain('cannot read the directory; the people last read stay in use');
      expect(directory.people.withUsername('p1@example.test')).toBeDefined();
      expect(await health.report()).toMatchObject({ ready: true, parts: { directory: 'ok' } });
      expect(await metrics.registry.metrics()).toMatch(
        /ringdown_directory_stale 1\nringdown_people 1200|ringdown_people 1200[^]*ringdown_directory_stale 1/,
      );
    } finally {
      await slapd.restart();
    }
    expect(await signedIn(opened)).toMatchObject({ username: 'p1@example.test' });
    await eventually('the directory to be read again', () => directory.problem === undefined);
    expect(log()).toContain('the directory is readable again');
  });

  it('keeps all people when the connection is lost during a reading', async () => {
    const relay = await Relay.to(Number(new URL(slapd.url).port));
    const env = { ...settingsFor(`ldap://127.0.0.1:${relay.port}`), ...QUICK, DIRECTORY_PAGE_SIZE: '100' };
    const { directory, health } = await open.open(env);
    await eventually('the first reading to complete', async () => (await health.report()).ready);
    const { people } = directory;
    relay.limit(100_000);
    relay.cut();
    await eventually('the problem to be reported', () => directory.problem);
    expect(directory.people).toBe(people);
    relay.limit(Number.POSITIVE_INFINITY);
    await eventually('the directory to be read again', () => directory.problem === undefined);
    await directory.close();
    await relay.stop();
  });

  it('limits the time of a request, and does not use the connection again after a missing response', async () => {
    const relay = await Relay.to(Number(new URL(slapd.url).port));
    const opened = await open.open({ ...settingsFor(`ldap://127.0.0.1:${relay.port}`), ...QUICK });
    const msToGiveUp = async (): Promise<number> => {
      relay.speak();
      await signedIn(opened);
      relay.fallSilent();
      const started = performance.now();
      await expect(signIn(opened)).rejects.toThrow(/timed out|within/);
      return performance.now() - started;
    };
    expect(await shortestMs(4_500, msToGiveUp)).toBeLessThan(4_500);
    await eventually('the problem to be reported', () => opened.directory.problem);
    relay.speak();
    await signedIn(opened);
    await eventually('the directory to be read again', () => opened.directory.problem === undefined);
    await opened.directory.close();
    await eventually('all connections to end', () => relay.connections === 0);
    await relay.stop();
  });

  it('retries when the server is down at the start: no person is known, and each method reports that', async () => {
    await slapd.kill();
    const opened = await open.open({ ...settingsFor(slapd.url), ...QUICK });
    expect(() => opened.directory.people).toThrow(DirectoryUnavailable);
    await expect(signIn(opened)).rejects.toThrow('the directory has not been read yet');
    expect(await opened.health.report()).toMatchObject({
      ready: false,
      parts: { directory: expect.stringContaining('ECONNREFUSED') },
    });
    await slapd.restart();
    await eventually('the people to be read', async () => (await opened.health.report()).ready);
    expect(opened.directory.people.all).toHaveLength(1_200);
    expect(await signedIn(opened)).toMatchObject({ username: 'p1@example.test' });
  });

  it('uses another server when the first is down', async () => {
    const { directory } = await open.open(settingsFor(`ldap://127.0.0.1:1, ${slapd.url}`));
    expect(directory.people.all).toHaveLength(1_200);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['a wrong password of the service account', { DIRECTORY_BIND_PASSWORD: 'wrong' }, /rejects the service account/],
    [
      'a service account that does not exist',
      { DIRECTORY_BIND_DN: `cn=no,${PEOPLE_DN}` },
      /rejects the service account/,
    ],
    ['a service account that is not a DN', { DIRECTORY_BIND_DN: 'ringdown' }, /not a distinguished name/],
    ['a base that does not exist', { DIRECTORY_BASE_DN: `ou=no,${PEOPLE_DN}` }, /does not exist/],
    ['a group that does not exist', { DIRECTORY_OPERATORS_GROUP: `cn=no,${PEOPLE_DN}` }, /does not exist/],
    [
      'a group of administrators that does not exist',
      { DIRECTORY_ADMINS_GROUP: `cn=no,${PEOPLE_DN}` },
      /DIRECTORY_ADMINS_GROUP: .* does not exist/,
    ],
    ['StartTLS on a server without it', { DIRECTORY_STARTTLS: 'on' }, /cannot connect at/],
  ])('does not start with %s, and reports the reason', async (_what, env, reason) => {
    await expect(open.open({ ...settingsFor(slapd.url), ...env })).rejects.toThrow(reason);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ DIRECTORY_URL: 'http://example.test' }, /DIRECTORY_URL must hold URLs/],
    [{ DIRECTORY_URL: 'ldap://user@example.test' }, /DIRECTORY_URL must hold URLs/],
    [{ DIRECTORY_BASE_DN: '' }, /DIRECTORY_BASE_DN is required with DIRECTORY_URL/],
    [{ DIRECTORY_URL: '' }, /DIRECTORY_BASE_DN is set without DIRECTORY_URL/],
    [{ DIRECTORY_BIND_PASSWORD: '' }, /must be set together/],
    [{ DIRECTORY_PEOPLE_FILTER: '(uid=*' }, /DIRECTORY_PEOPLE_FILTER must be a filter/],
    [{ DIRECTORY_ATTRIBUTES: 'fax=fax' }, /DIRECTORY_ATTRIBUTES must hold items/],
    [{ DIRECTORY_CA_FILE: '/nowhere.pem' }, /DIRECTORY_CA_FILE cannot be read/],
    [{ PEOPLE_FILE: 'people.json' }, /DIRECTORY_URL and PEOPLE_FILE are both set/],
  ])('never starts with the settings %j', async (env, problem) => {
    const opening = open.open({ ...settingsFor(slapd.url), ...env });
    await expect(opening).rejects.toThrow(SettingsError);
    await expect(opening).rejects.toThrow(problem);
  });

  it('ignores a response without any people', async () => {
    const env = { ...settingsFor(slapd.url), ...QUICK, DIRECTORY_PEOPLE_FILTER: '(uid=p999)' };
    const { directory, health } = await open.open(env);
    await eventually('the first reading to complete', async () => (await health.report()).ready);
    await asAdmin(slapd.url, (admin) => admin.modifyDN(`uid=p999,${PEOPLE_DN}`, 'uid=q999'));
    await eventually('the problem to be reported', () => directory.problem?.includes('no longer returns any people'));
    expect(directory.people.all).toHaveLength(1);
    await asAdmin(slapd.url, (admin) => admin.modifyDN(`uid=q999,${PEOPLE_DN}`, 'uid=p999'));
    await eventually('the directory to be read again', () => directory.problem === undefined);
  });
});

describe('an LDAP directory with limits', () => {
  const open = new OpenDirectories();
  let slapd: TestDirectory | undefined;

  afterEach(async () => {
    await open.closeAll();
    await slapd?.stop();
  });

  it('is read in pages when responses are limited', async () => {
    slapd = await startSlapd({ entries: staff(1_200), limits: 'size.soft=100 size.hard=100 size.prtotal=unlimited' });
    const { directory } = await open.open({ ...settingsFor(slapd.url), DIRECTORY_PAGE_SIZE: '100' });
    expect(directory.people.all).toHaveLength(1_200);
  });

  it('is not mistaken for a smaller one when the total is limited', async () => {
    slapd = await startSlapd({ entries: staff(1_200), limits: 'size=1000' });
    await expect(open.open(settingsFor(slapd.url))).rejects.toThrow(
      /fewer entries than there are people \(size limit\)/,
    );
  });

  it('causes an error that names the setting when the page size is limited', async () => {
    slapd = await startSlapd({ entries: staff(1_200), limits: 'size=unlimited size.pr=100' });
    await expect(open.open(settingsFor(slapd.url))).rejects.toThrow(/lower DIRECTORY_PAGE_SIZE/);
  });
});
