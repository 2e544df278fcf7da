import type { Browser } from 'playwright-core';
import { hasNoBarriers, openPage, soon, startBrowser } from './browser.js';
import { System } from './system.js';

describe('the language of the console', () => {
  let system: System;
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
    system = await System.start();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  it('is that of the browser, until another one is chosen in the menu, which is kept', async () => {
    const { page, problems } = await openPage(browser, system, { locale: 'de-DE' });
    const { username, password } = system.user('carol');
    await page.goto('/console/account');
    await page.getByLabel('Benutzername').fill(username);
    await page.getByLabel('Passwort').fill(password);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('navigation', { name: 'Ansichten' }).getByRole('link', { name: 'Qualität' }).waitFor();
    await page.getByRole('heading', { name: 'Sitzungen' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
    await hasNoBarriers(page);

    await page.getByRole('button', { name: `Angemeldet als ${username}` }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Quality' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await soon(async () => expect(await page.evaluate('document.documentElement.lang')).toBe('en'));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('is English, and loads no other, in a browser of a language that the console does not have', async () => {
    const { page } = await openPage(browser, system, { locale: 'fr-FR' });
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(loaded.filter((path) => /\/assets\/de-/.test(path))).toEqual([]);
    await page.context().close();
  });

  it('is English if the translation cannot be loaded', async () => {
    const { page } = await openPage(browser, system, { locale: 'de-DE' });
    await page.route('**/assets/de-*.js', (route) => route.abort());
    await page.goto('/console/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
    await page.context().close();
  });
});
