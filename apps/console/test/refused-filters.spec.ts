import type { Locator, Page } from 'playwright-core';
import { allProcessed, isAccessibleOnAnyScreen, signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { startXml } from './records.js';

describe('filters that no call can have', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(startXml({ callId: 'one', from: 'cleo', ago: 600 }));
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol');
    await allProcessed(page);
  });
  afterEach(() => expect(problems).toEqual([]));

  /** The message at the filters of the view, which is the only one. */
  async function onlyMessage(text: string): Promise<Locator> {
    const alert = page.getByRole('alert');
    await alert.getByText(text).waitFor();
    expect(await alert.count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    return alert;
  }

  it.each([
    ['quality', 'Total streams'],
    ['capacity', 'Load by trunk'],
    ['live', 'Calls'],
    ['calls', 'Calls found'],
  ])('are named once in %s, with the reason, and removed there', async (view, shown) => {
    await page.goto(`/console/${view}?site=Nowhere`);
    const alert = await onlyMessage('Site: Nowhere. There is no such site. Sites and their subnets are defined in');
    await isAccessibleOnAnyScreen(page, () => alert.waitFor());
    await page.setViewportSize({ width: 1280, height: 800 });
    await alert.getByRole('button', { name: 'Remove Site: Nowhere' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
    await page
      .getByRole('region', { name: shown, exact: true })
      .or(page.getByRole('list', { name: shown }))
      .waitFor();
  });

  it('take the place of all charts until they are removed or changed', async () => {
    await page.goto('/console/quality?site=Nowhere&last=24h');
    const alert = await onlyMessage('There is no such site.');
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByLabel('Site', { exact: true }).fill('Oslo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  it('may be a time that ends before it begins', async () => {
    await page.goto('/console/quality?from=2026-03-02T10:00:00Z&to=2026-03-01T10:00:00Z');
    const alert = await onlyMessage('from must be before to');
    expect(await alert.getByRole('button').count()).toBe(0);
  });

  it('may be words without a letter or digit', async () => {
    await page.goto('/console/calls?q=%21&codec=PCMU%2F8000');
    const alert = await onlyMessage('Words: !. q must be at most');
    await alert.getByRole('button', { name: 'Remove Words: !' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ codec: 'PCMU/8000' });
  });
});
