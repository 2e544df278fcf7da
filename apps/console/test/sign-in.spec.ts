import { fits, hasNoBarriers, signIn, soon, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

describe('signing in to the console', () => {
  const ui = consoleUnderTest();

  it('opens the start page for an operator of a new system, and a deep link at its target', async () => {
    const { page, problems } = await ui.open();
    await signIn(page, ui.system, 'carol');
    await page.waitForURL('**/console/start');
    await page.goto('/console/live?x=1');
    await page.getByRole('heading', { name: /in progress/ }).waitFor();
    expect(new URL(page.url()).search).toBe('?x=1');
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Theme: light' }).waitFor();
    await soon(async () => expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('light'));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('needs less than 200 KB, compressed, for the first view of calls', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol', '/console/live');
    await page.getByText('No calls in progress.').waitFor();
    const files = await page.evaluate<readonly { name: string; size: number }[]>(`performance
      .getEntriesByType('navigation')
      .concat(performance.getEntriesByType('resource'))
      .filter(({ name }) => name.includes('/console/'))
      .toSorted((a, b) => a.startTime - b.startTime)
      .map(({ name, encodedBodySize: size }) => ({ name, size }))`);
    // Notices of other views are loaded after the view.
    const late = files.findIndex(({ name }) => /\/notices-[^/]*\.js$/.test(name));
    const view = late === -1 ? files : files.slice(0, late);
    expect(view.some(({ name }) => /\/live-view-[^/]*\.js$/.test(name))).toBe(true);
    const total = view.reduce((sum, { size }) => sum + size, 0);
    expect(total).toBeGreaterThan(50_000);
    expect(total).toBeLessThan(200_000);
    await page.context().close();
  });

  it('reports a wrong password, and allows another try', async () => {
    const { page } = await ui.open();
    await page.goto('/console/');
    await page.getByLabel('Username').fill(ui.system.user('alice').username);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The username or the password is wrong.').waitFor();
    await hasNoBarriers(page);
    await page.context().close();
  });

  it('shows no calls without the role', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'alice', '/console/live');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('link', { name: 'Live' }).count()).toBe(0);
    await page.context().close();
  });

  it('reports a view that cannot be loaded, and loads it on retry', async () => {
    const { page } = await ui.open();
    const files = '**/assets/people-view-*.js';
    await page.route(files, (route) => route.abort());
    await signIn(page, ui.system, 'alice', '/console/people');
    await page.getByRole('alert').waitFor();
    await page.unroute(files);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Alice Archer' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('loads the style sheet of a view again that could not be loaded', async () => {
    const { page } = await ui.open();
    const requested: string[] = [];
    await page.route('**/assets/captures-view-*.css', (route) => {
      requested.push(route.request().url());
      return requested.length === 1 ? route.abort() : route.continue();
    });
    await signIn(page, ui.system, 'carol', '/console/captures');
    await page.getByLabel('Capture file').waitFor();
    await soon(async () => expect(requested).toHaveLength(2));
    expect(requested[1]).toBe(requested[0]);
    const rules = `[...document.querySelectorAll('link[rel="stylesheet"][href*="captures-view-"]')].map(({ sheet }) => sheet !== null && sheet.cssRules.length > 0)`;
    await soon(async () => expect(await page.evaluate(rules)).toEqual([true]));
    await page.context().close();
  });

  it('revokes and forgets the token at sign-out', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol');
    const token = await signedInToken(page);
    const revoked = page.waitForResponse((answer) => answer.url().endsWith('/revoke'));
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    expect((await revoked).status()).toBe(200);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await soon(async () => expect(await page.evaluate('sessionStorage.length')).toBe(0));
    const headers = { authorization: `Bearer ${token}` };
    const answer = await page.context().request.get('/api/calls?limit=1', { headers });
    expect(answer.status()).toBe(401);
    await page.context().close();
  });

  it('signs in a new tab of the browser without a cookie or a secret in localStorage, and signs out of all', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol');
    const tab = await page.context().newPage();
    await tab.goto('/console/live');
    await tab.getByRole('heading', { name: /in progress/ }).waitFor();
    const token = await signedInToken(tab);
    expect(await tab.evaluate('document.cookie')).toBe('');
    expect((await tab.context().cookies()).filter(({ httpOnly }) => !httpOnly)).toEqual([]);
    const stored = await tab.evaluate<string>('JSON.stringify(localStorage)');
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(ui.system.user('carol').password);
    expect(Object.keys(JSON.parse(stored)).filter((name) => /session|token|sign/i.test(name))).toEqual([]);
    await tab.getByRole('button', { name: /carol/i }).click();
    await tab.getByRole('menuitem', { name: 'Sign out' }).click();
    await tab.getByLabel('Password').waitFor();
    await page.getByLabel('Password').waitFor();
    expect(await page.getByText('has expired').count()).toBe(0);
    await page.context().close();
  });

  it('asks for sign-in when the token is unknown, and returns to the page', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol', '/console/calls?user=nobody');
    await page.getByText('No calls match.').waitFor();
    const token = await signedInToken(page);
    // The next request of the page notices it, without a reload.
    await page.context().request.post('/uc/token/revoke', { form: { token } });
    await page.getByText('Your session has expired').waitFor();
    await signIn(page, ui.system, 'carol', page.url());
    await page.getByText('No calls match.').waitFor();
    expect(new URL(page.url()).search).toBe('?user=nobody');
    await page.context().close();
  });

  it('fits a phone, is accessible, and works with the keyboard only', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await ui.open({ colorScheme, viewport: { width: 360, height: 640 } });
      await page.goto('/console/');
      await page.getByLabel('Username').waitFor();
      await hasNoBarriers(page);
      await fits(page);
      const { username, password } = ui.system.user('carol');
      await page.keyboard.press('Tab');
      await page.keyboard.type(username);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Connect your first front end' }).waitFor();
      await page.keyboard.press('Tab');
      const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
      await soon(async () => expect(await focused()).toBe('Skip to content'));
      await page.context().close();
    }
  });
});
