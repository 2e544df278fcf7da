import type { Browser } from 'playwright-core';
import { fits, hasNoBarriers, openPage, signIn, startBrowser } from './browser.js';
import { startXml } from './records.js';
import { System } from './system.js';

describe('the start page', () => {
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

  it('is not shown to those who see no calls', async () => {
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'alice');
    await page.waitForURL('**/console/people');
    await page.context().close();
  });

  it('shows an operator of a new system the address of the feed, and turns into the first call', async () => {
    const { page, problems } = await openPage(browser, system, { permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, system, 'carol');
    await page.waitForURL('**/console/start');
    await page.getByText('Waiting for the first record …').waitFor();
    await page.getByText(`${system.feed}/`, { exact: true }).waitFor();
    await page.getByText('Only programs on this machine reach it.').waitFor();
    await hasNoBarriers(page);
    await page.getByRole('button', { name: 'Copy', exact: true }).first().press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toBe(`curl -i -X POST ${system.feed}/ -H 'Content-Type: text/xml'`);
    await system.post(startXml({ callId: 'first' }));
    const call = page.getByRole('link', { name: 'anna@example.test → ben@example.test' });
    await call.waitFor();
    await hasNoBarriers(page);
    await call.press('Enter');
    await page.waitForURL('**/console/calls/first');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('gives way to the live view once records have arrived, and stays within reach', async () => {
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol');
    await page.waitForURL('**/console/live');
    await page.getByRole('link', { name: 'Feeds' }).click();
    await page.getByRole('link', { name: 'Connect a front end' }).click();
    await page.getByRole('heading', { name: 'Calls are coming in' }).waitFor();
    await page.context().close();
  });

  it('says what to set when the server does not know the address, and fits on a phone', async () => {
    const { page } = await openPage(browser, system, { colorScheme: 'dark', viewport: { width: 320, height: 640 } });
    await page.route('**/api/services', async (route) => {
      const answer = await route.fetch();
      const services: object = await answer.json();
      await route.fulfill({ json: { ...services, feedAddress: null } });
    });
    await signIn(page, system, 'carol', '/console/start');
    await page.getByText('The server does not know under which address').waitFor();
    await page.getByText('curl -i -X POST http://COLLECTOR:8080/').waitFor();
    await hasNoBarriers(page);
    await fits(page);
    await page.context().close();
  });
});
