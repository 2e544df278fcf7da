import { startOpenIdServer, type OpenIdServer } from '@ringdown/testing/servers/open-id-server';
import { hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

const BUTTON = { name: 'Sign in with single sign-on' };

describe('single sign-on in the console', () => {
  let provider: OpenIdServer;
  const ui = consoleUnderTest(async () => {
    const people = { carol: { preferred_username: 'carol@example.test' } };
    provider = await startOpenIdServer({ clientId: 'ringdown', clientSecret: 'a secret', redirectUris: [], people });
    // It is in this process, which a busy machine delays.
    const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'ringdown', OIDC_ANSWER_MS: '60000' };
    return { ...settings, OIDC_CLIENT_SECRET: 'a secret' };
  });

  beforeAll(() => provider.redirectTo([`${ui.system.origin}/console/`]));
  afterAll(() => provider?.stop());

  it('returns from the provider to the page that was asked for, and after sign-out there to the sign-in page', async () => {
    const { page, problems } = await ui.open();
    await page.goto('/console/search?x=1');
    await page.getByRole('button', BUTTON).waitFor();
    await hasNoBarriers(page);
    await page.getByRole('button', BUTTON).click();
    await page.getByRole('button', { name: 'Signed in as carol@example.test' }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect([pathname, search]).toEqual(['/console/search', '?x=1']);
    expect(await page.evaluate('Object.keys(sessionStorage)')).not.toContain('ringdown.sign-in');
    await page.reload();
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/session/end?**`);
    // The provider asks, and leads back to the sign-in page.
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${ui.system.origin}/console/**`);
    await page.getByRole('button', BUTTON).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('rejects an answer that did not begin in this tab', async () => {
    const { page } = await ui.open();
    await page.goto('/console/?code=abc&state=of-somebody-else');
    await page.getByText('This sign-in did not begin in this tab. Try again.').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.context().close();
  });

  it('names the reason of the provider', async () => {
    const { page } = await ui.open();
    await page.goto('/console/');
    await page.getByRole('button', BUTTON).waitFor();
    const pending = { state: 's', nonce: 'n', verifier: 'v', returnTo: '/console/live' };
    await page.evaluate((text) => sessionStorage.setItem('ringdown.sign-in', text), JSON.stringify(pending));
    await page.goto('/console/?error=access_denied&state=s');
    await page.getByText('The sign-in was cancelled.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/live');
    await page.context().close();
  });

  it('leaves the password while the provider is away', async () => {
    await provider.stop();
    await ui.system.pause();
    await ui.system.resume();
    const { page } = await ui.open();
    await page.goto('/console/');
    await page.getByText('Single sign-on is not responding.').waitFor();
    await signIn(page, ui.system, 'carol');
    await soon(async () => expect(await page.getByRole('button', { name: /Signed in as/ }).count()).toBe(1));
    await page.context().close();
  });
});
