import { fits, hasNoBarriers, signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { startXml } from './records.js';

describe('the start page', () => {
  const ui = consoleUnderTest();

  it('is not shown to those who see no calls', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'alice');
    await page.waitForURL('**/console/people');
    await page.context().close();
  });

  it('shows an operator of a new system the address of the feed, and turns into the first call', async () => {
    const { page, problems } = await ui.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, ui.system, 'carol');
    await page.waitForURL('**/console/start');
    await page.getByText('Waiting for the first record …').waitFor();
    await page.getByText(`${ui.system.feed}/`, { exact: true }).waitFor();
    await page.getByText('Only programs on this machine reach it.').waitFor();
    await hasNoBarriers(page);
    await page.getByRole('button', { name: 'Copy', exact: true }).first().press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).toBe(`curl -i -X POST ${ui.system.feed}/ -H 'Content-Type: text/xml'`);
    await ui.system.post(startXml({ callId: 'first' }));
    const call = page.getByRole('link', { name: 'anna@example.test → ben@example.test' });
    await call.waitFor();
    await hasNoBarriers(page);
    await call.press('Enter');
    await page.waitForURL('**/console/calls/first');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('gives way to the live view once records have arrived, and stays within reach', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol');
    await page.waitForURL('**/console/live');
    await page.getByRole('link', { name: 'Feeds' }).click();
    await page.getByRole('link', { name: 'Connect a front end' }).click();
    await page.getByRole('heading', { name: 'Calls are coming in' }).waitFor();
    await page.context().close();
  });

  it('says what to set when the server does not know the address, and fits on a phone', async () => {
    const { page } = await ui.open({ colorScheme: 'dark', viewport: { width: 320, height: 640 } });
    await page.route('**/api/services', async (route) => {
      const answer = await route.fetch();
      const services: object = await answer.json();
      await route.fulfill({ json: { ...services, feedAddress: null } });
    });
    await signIn(page, ui.system, 'carol', '/console/start');
    await page.getByText('The server does not know under which address').waitFor();
    await page.getByText('curl -i -X POST http://COLLECTOR:8080/').waitFor();
    await hasNoBarriers(page);
    await fits(page);
    await page.context().close();
  });
});
