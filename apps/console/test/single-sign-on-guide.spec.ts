import { eventually } from '@ringdown/testing/eventually';
import { guideCommands, readGuide, shell, guideTable, withOwn } from '@ringdown/testing/guide-shell';
import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { System } from './system.js';

const GUIDE = 'single-sign-on.md';
const TEXT = readGuide(GUIDE);
const [SETTINGS = '', , EXCHANGE = ''] = guideCommands(GUIDE);
const [, BUTTON = ''] = /has the button \*\*(.+?)\*\*/.exec(TEXT) ?? [];
const [, OPTIONS = ''] = /^3\. `(curl .+?)` shows `authorizationEndpoint`/m.exec(TEXT) ?? [];
const SECRET = 'a secret of the client';
/** The provider is in the process of the tests, which a busy machine delays. */
const PATIENCE = { OIDC_ANSWER_MS: '60000' };
const WHOLE = { name: 'Carol', preferred_username: 'carol@example.test', email: 'carol@example.test' };

interface TokenAnswer {
  readonly access_token?: string;
  readonly error_description?: string;
}

/** The settings of the guide, with what is different for each reader. */
function settingsFor(issuer: string): Record<string, string> {
  const own = withOwn(SETTINGS, { 'https://sso.example.test/realms/uc': issuer, '…': SECRET });
  return Object.fromEntries([...own.matchAll(/^(\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

describe('the guide to single sign-on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-sso-guide-'));
  const started = new Started();
  const shells = new Started();
  /** Who signs in there is the first one. */
  const people: Record<string, Record<string, unknown>> = { carol: WHOLE };
  const pages: Page[] = [];
  let provider: OpenIdServer;
  let system: System;

  const ui = consoleUnderTest(async () => {
    provider = started.add(
      await startOpenIdServer({ clientId: 'ringdown', clientSecret: SECRET, redirectUris: [], people }),
    );
    return { ...settingsFor(provider.issuer), ...PATIENCE };
  });
  beforeAll(async () => {
    system = ui.system;
    await provider.redirectTo(redirectsTo(system));
  });
  afterEach(async () => {
    people['carol'] = WHOLE;
    await forgetAccounts();
    await shells.stopAll();
    await Promise.all(pages.splice(0).map((page) => page.context().close()));
  });
  afterAll(async () => {
    await started.stopAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The address of the first step of the guide. */
  function redirectsTo({ origin }: System): readonly string[] {
    const [, address = ''] = /redirect address\s+`(.+?)`, also as address after sign-out/.exec(TEXT) ?? [];
    return [withOwn(address, { 'https://YOUR-ORIGIN': origin })];
  }

  async function run(line: string, of: System, env: Readonly<Record<string, string>> = {}): Promise<string> {
    writeFileSync(join(folder, '.curlrc'), `cacert = "${of.certificate}"\nsilent\nshow-error\n`);
    const ran = shell(line, { cwd: folder, env }, shells);
    await ran.ended;
    expect([ran.exitCode(), ran.errors()]).toEqual([0, '']);
    return ran.output();
  }

  const options = async (of: System): Promise<string> =>
    run(withOwn(OPTIONS, { 'https://YOUR-ORIGIN': of.origin }), of);

  /** Each test binds the account of the provider to whom it names. */
  async function forgetAccounts(): Promise<void> {
    const { username, password } = system.user('carol');
    const form = `-d grant_type=password --data-urlencode 'Username=${username}' --data-urlencode 'password=${password}'`;
    const { access_token: token = '' }: TokenAnswer = JSON.parse(
      await run(`curl ${form} ${system.origin}/uc/token`, system),
    );
    for (const name of ['alice', 'bob', 'carol']) {
      const address = `${system.origin}/api/people/${name}@example.test/identity`;
      const line = `curl -X DELETE -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${token}' ${address}`;
      expect(await run(line, system)).toMatch(/^(204|404)$/);
    }
  }

  /** Exchanges a token of the provider by the lines of the guide. */
  async function exchanged(claims: object, of = system): Promise<TokenAnswer> {
    const challenge = await run(`curl -i ${of.origin}/uc/discovery/user`, of);
    const [, tokens = ''] = /^WWW-Authenticate: .*href="([^"]+)"/im.exec(challenge) ?? [];
    const TOKEN = await provider.sign({ sub: 'carol', aud: 'ringdown', ...claims });
    return JSON.parse(await run(withOwn(EXCHANGE, { 'https://…': tokens }), of, { TOKEN }));
  }

  async function statusWith(token: string | undefined, path: string, of = system): Promise<number> {
    const line = `curl -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer ${token}' ${of.origin}${path}`;
    return Number(await run(line, of));
  }

  /** A page until the end of the test. */
  async function opened(of = system): Promise<Page> {
    const { page } = await openPage(ui.browser, of);
    pages.push(page);
    return page;
  }

  /** A page on which a person signs in with the button. */
  async function signedIn(of = system): Promise<Page> {
    const page = await opened(of);
    await page.goto('/console/');
    await page.getByRole('button', { name: BUTTON }).click();
    return page;
  }

  it('has settings with which the provider is found, and the button on the sign-in page leads there and back', async () => {
    expect(JSON.parse(await options(system)).openId).toMatchObject({
      authorizationEndpoint: `${provider.issuer}/auth`,
    });
    const page = await signedIn();
    await page.getByRole('button', { name: 'Signed in as carol@example.test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('button', { name: BUTTON }).waitFor();
    expect(new URL(page.url()).origin).toBe(system.origin);
  });

  it('has lines that exchange a token of the provider for one that is accepted', async () => {
    const { access_token: token } = await exchanged({ preferred_username: 'alice@example.test' });
    expect(await statusWith(token, '/uc/discovery/user')).toBe(200);
  });

  it.each(['alice@example.test', 'alice', 'sip:alice@example.test', 'ALICE@Example.Test'])(
    'describes the claim %s, which names a person',
    async (name) => {
      expect(await exchanged({ preferred_username: name })).toMatchObject({ username: 'alice@example.test' });
    },
  );

  it('describes that letters which only look like others name nobody, and clocks may differ', async () => {
    const lookAlike = await exchanged({ preferred_username: '\uFF41lice@example.test' });
    expect(lookAlike.error_description).toContain('names no person');
    const late = { preferred_username: 'alice', exp: Math.floor(Date.now() / 1_000) - 10 };
    expect(await exchanged(late)).toMatchObject({ access_token: expect.anything() });
  });

  describe('with the other settings', () => {
    let other: System;

    beforeAll(async () => {
      const named = [...TEXT.matchAll(/`(OIDC_\w+)=([^`]+)`/g)].map(([, name = '', value = '']) => [name, value]);
      const shown = Object.fromEntries(named.filter(([name]) => name !== 'OIDC_CA_FILE'));
      expect(shown).toEqual({ OIDC_PERSON_CLAIM: 'email', OIDC_UNKNOWN_PEOPLE: 'create', OIDC_ROLES_CLAIM: 'groups' });
      expect(TEXT).toContain('`realm_access.roles`');
      const settings = { ...settingsFor(provider.issuer), ...shown, OIDC_ROLES_CLAIM: 'realm_access.roles' };
      const own = { OIDC_AUDIENCES: 'desk', OIDC_CLIENT_SECRET: 'another one', ...PATIENCE };
      other = await System.start({ ...settings, ...own, LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
    });
    afterAll(async () => {
      await provider.redirectTo(redirectsTo(system));
      await other?.stop();
    });

    it('adds a person whom only the provider knows, with an audit line, and the roles of the claim', async () => {
      const claims = { aud: 'desk', email: 'nora@example.test', email_verified: true, name: 'Nora Novak' };
      const { access_token: token } = await exchanged({ ...claims, realm_access: { roles: ['operator'] } }, other);
      expect(await statusWith(token, '/api/calls', other)).toBe(200);
      expect(await statusWith(token, '/api/people', other)).toBe(403);
      const byProvider = { action: 'add', people: ['nora@example.test'], by: 'single-sign-on' };
      const line = await eventually('the line', () =>
        other.log.split('\n').find((each) => each.includes('people audit')),
      );
      expect(JSON.parse(line)).toMatchObject({ audit: byProvider });
      const administrator = await exchanged({ ...claims, realm_access: { roles: ['admin'] } }, other);
      expect(await statusWith(administrator.access_token, '/api/people', other)).toBe(200);
    });

    it('uses an address only if it is verified, and accepts only the audiences that are set', async () => {
      const unverified = await exchanged({ sub: 'alice', aud: 'desk', email: 'alice@example.test' }, other);
      expect(unverified.error_description).toContain('names no person in the claim email');
      const forUs = await exchanged({ email: 'alice@example.test', email_verified: true }, other);
      expect(forUs.error_description).toContain('has a wrong claim: aud');
    });

    it('names the secret as the reason when the code is not confirmed', async () => {
      await provider.redirectTo(redirectsTo(other));
      const page = await opened(other);
      const answered = page.waitForResponse(`${other.origin}/uc/token`);
      await page.goto('/console/');
      await page.getByRole('button', { name: BUTTON }).click();
      expect(await (await answered).text()).toContain(tokenTextFor('`OIDC_CLIENT_SECRET`'));
      await page.getByText(consoleTextFor('`OIDC_CLIENT_SECRET`')).waitFor();
    });
  });

  const rows = guideTable(GUIDE, 'Console');

  /** What the table says that the console shows, by the reason. */
  function consoleTextFor(reason: string): string {
    return rowFor(reason)[0]?.replaceAll('"', '') ?? '';
  }

  function rowFor(reason: string): readonly string[] {
    const found = rows.filter((row) => row[2]?.includes(reason));
    expect([reason, found.length]).toEqual([reason, 1]);
    return found[0] ?? [];
  }

  /** What the table says that the token service answers. */
  function tokenTextFor(reason: string): string {
    const [shown = '', answered = ''] = rowFor(reason);
    return (answered === 'the same' ? shown : answered).replaceAll('"', '');
  }

  it('lists eleven reasons why a sign-in does not work', () => {
    expect(rows).toHaveLength(11);
  });

  it('shows the text for an answer that did not begin in this tab', async () => {
    const page = await opened();
    await page.goto('/console/?code=abc&state=of-somebody-else');
    await page.getByText(consoleTextFor('another tab')).waitFor();
  });

  it('shows the text for a claim that is missing', async () => {
    people['carol'] = { name: 'Carol' };
    await (await signedIn()).getByText(consoleTextFor('the claim is missing')).waitFor();
    expect((await exchanged({ name: 'Carol' })).error_description).toContain(tokenTextFor('the claim is missing'));
  });

  it('shows the text for a person who is not known here', async () => {
    people['carol'] = { preferred_username: 'mallory@example.test' };
    await (await signedIn()).getByText(consoleTextFor('add the person here')).waitFor();
    expect((await exchanged({ preferred_username: 'mallory@example.test' })).error_description).toContain(
      tokenTextFor('add the person here'),
    );
  });

  it('shows the text for a person who is blocked', async () => {
    const { access_token: token } = await exchanged({ sub: 'admin', preferred_username: 'carol@example.test' });
    const address = `${system.origin}/api/people/bob@example.test`;
    const head = await run(`curl -i -H 'Authorization: Bearer ${token}' ${address}`, system);
    const etag = /^etag: (.*)\r$/im.exec(head)?.[1] ?? '';
    const body = JSON.stringify({ username: 'bob@example.test', name: 'Bob', blocked: true });
    const change = `curl --fail-with-body -X PUT -H 'Authorization: Bearer ${token}' -H 'If-Match: ${etag}' -d '${body}' ${address}`;
    await run(change, system);
    people['carol'] = { preferred_username: 'bob@example.test' };
    await (await signedIn()).getByText(consoleTextFor('people -- unblock')).waitFor();
    expect((await exchanged({ preferred_username: 'bob@example.test' })).error_description).toContain(
      tokenTextFor('people -- unblock'),
    );
  });

  it('shows the text for a token of another client', async () => {
    expect((await exchanged({ preferred_username: 'alice@example.test', aud: 'another' })).error_description).toContain(
      tokenTextFor('OIDC_AUDIENCES'),
    );
  });

  it('describes the error of a provider that does not know the address after sign-out', async () => {
    const page = await signedIn();
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await provider.redirectTo(['https://elsewhere.example.test/']);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('post_logout_redirect_uri not registered').waitFor();
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await provider.redirectTo(redirectsTo(system));
  });

  it('describes a provider that is down: one line in the log, and the text on the sign-in page', async () => {
    const began = performance.now();
    await provider.stop();
    await system.pause();
    await system.resume();
    expect(JSON.parse(await options(system)).openId).not.toHaveProperty('authorizationEndpoint');
    const page = await opened();
    await page.goto('/console/');
    await page.getByText(consoleTextFor('the provider is down')).waitFor();
    expect((await exchanged({ preferred_username: 'alice@example.test' })).error_description).toContain(
      tokenTextFor('the provider is down'),
    );
    const lines = await eventually(
      'the line',
      () => system.log.match(/the sign-in provider does not answer as it should/g) ?? undefined,
    );
    // It is written every ten seconds at most, and a slow machine takes longer for this test.
    expect(lines.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - began) / 10_000));
    await provider.restart();
  });

  it('describes the page without a button when no provider is set', async () => {
    const { OIDC_ISSUER: _issuer, OIDC_CLIENT_ID: _id, ...rest } = settingsFor(provider.issuer);
    expect(rowFor('`OIDC_ISSUER` is not set')[0]).toBe('no button');
    expect(Object.keys(rest)).toEqual(['OIDC_CLIENT_SECRET']);
    const plain = started.add(await System.start());
    const page = await opened(plain);
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: BUTTON }).count()).toBe(0);
  });
});
