import type { Page } from 'playwright-core';
import { allProcessed, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, qualityXml, startXml, type Example } from './records.js';

const QUALITY = '/console/quality';

describe('filters of the quality view', () => {
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    await call({ callId: 'bad', ago: 18_000, from: 'cleo', frontEnd: 'fe2.example.test' }, 0.4);
    await call({ callId: 'good', ago: 7_200, frontEnd: 'fe1.example.test' }, 0.001);
    await signIn(page, ui.system, 'carol', QUALITY);
    await allProcessed(page);
  });

  async function call(example: Example & { readonly ago: number }, loss: number): Promise<void> {
    const [over, report] = [60, 62].map((seconds) => ({ ...example, ago: example.ago - seconds }));
    await ui.system.post(startXml(example), endXml(over ?? example), qualityXml(report ?? example, loss));
  }

  it('has every filter of the search, shown as in the search, and names what it does not know', async () => {
    await page.goto(`${QUALITY}?q=example&verdict=bad,good&maxLoss=0.1&not.codec=nothing&mood=bad`);
    await page.getByRole('note').getByText('Ignored in the address, unknown or with a wrong value: mood=bad').waitFor();
    const totals = page.getByRole('list', { name: 'Total streams' });
    await totals.getByRole('link', { name: /^1 good stream,/ }).waitFor();
    await totals.getByRole('link', { name: /^1 bad stream,/ }).waitFor({ state: 'detached' });
    await hasNoBarriers(page);
    await totals.getByRole('link', { name: /^1 good stream,/ }).click();
    await page.waitForURL('**/console/calls?**');
    const found = page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');
    await soon(async () =>
      expect(await found.allTextContents()).toEqual([expect.stringContaining('anna@example.test')]),
    );
    const query = new URL(page.url()).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ q: 'example', maxLoss: '0.1', 'not.codec': 'nothing' });
    await page.goBack();
    await page.getByRole('button', { name: 'Remove Packet loss at most 10 %' }).click();
    await totals.getByRole('link', { name: /^1 bad stream,/ }).waitFor();
    await page.getByRole('button', { name: 'Remove Verdict: good' }).click();
    await totals.getByRole('link', { name: /^1 good stream,/ }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'More filters' }).click();
    const adder = page.getByRole('group', { name: 'Add a filter' });
    await adder.getByLabel('Field').selectOption('frontEnd');
    await adder.getByLabel('Value').fill('fe1.example.test');
    await adder.getByRole('button', { name: 'Add' }).click();
    await page.getByText('No streams in this period.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL(`**${QUALITY}`);
    await totals.getByRole('link', { name: /^1 good stream,/ }).waitFor();
    expect(problems).toEqual([]);
  });
});
