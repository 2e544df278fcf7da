import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Locator, Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn, soon, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, qualityXml, startXml } from './records.js';

const ALERTS = '/console/alerts';

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly silences: readonly object[];
}

describe('the alerts view', () => {
  let receiver: Server;
  const ui = consoleUnderTest(
    async () => {
      receiver = createServer((request, reply) => request.resume().on('end', () => reply.writeHead(204).end()));
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
      const address = receiver.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const pager = { kind: 'webhook', secret: 'a secret of the tests' };
      const receivers = [
        { ...pager, name: 'pager', url: `http://127.0.0.1:${port}/` },
        { ...pager, name: 'broken', url: 'http://127.0.0.1:9/' },
      ];
      return { ALERT_RECEIVERS: { receivers }, ALERT_SECONDS: '1' };
    },
    { hasWindows: true },
  );
  beforeAll(async () => {
    for (const name of ['one', 'two', 'three'])
      await ui.system.post(
        startXml({ callId: name, ago: 1_800 }),
        endXml({ callId: name, ago: 1_790 }),
        qualityXml({ callId: name, ago: 1_789 }, 0.5),
      );
  });
  afterAll(() => void receiver?.close());

  async function open(path = ALERTS): Promise<{ page: Page; problems: readonly string[] }> {
    const opened = await ui.open();
    await signIn(opened.page, ui.system, 'carol', path);
    return opened;
  }

  const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

  async function rules(page: Page): Promise<readonly Rule[]> {
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    const answer = await page.request.get('/api/alert-rules', { headers });
    const body: { items: readonly Rule[] } = await answer.json();
    return body.items;
  }

  it('explains what to do without rules, and creates one after a preview of the last week', async () => {
    const { page, problems } = await open();
    await page.getByText('No alerts.').waitFor();
    await page.getByText('No rules yet.').waitFor();
    await hasNoBarriers(page);
    await page.getByRole('link', { name: 'New rule' }).click();
    await page.getByLabel('Name').fill('Bad calls');
    await page.getByLabel('Fires above (%)').fill('101');
    await button(page, 'Preview the last week').click();
    // The browser reports the limit of the field, and nothing is sent.
    await soon(async () => expect(await page.locator('input:invalid').count()).toBe(1));
    await page.getByLabel('Fires above (%)').fill('20');
    await page.getByLabel('Calls that began in the last (minutes)').fill('120');
    await page.getByLabel('At least this many calls').fill('3');
    await page.getByLabel('An alert for each').selectOption('frontEnd');
    await button(page, 'Preview the last week').click();
    await page.getByText('This rule would have fired 1 time in the last week.').waitFor();
    await page.getByRole('rowheader', { name: 'Front end fe1.example.test' }).waitFor();
    await page.getByRole('cell', { name: '100 %' }).waitFor();
    await hasNoBarriers(page);
    // Another limit is another rule.
    await page.getByLabel('At least this many calls').fill('4');
    await page.getByText('This rule would have fired').waitFor({ state: 'detached' });
    await button(page, 'Preview the last week').click();
    await page.getByText('This rule would not have fired in the last week.').waitFor();
    await page.getByLabel('At least this many calls').fill('3');
    await page.getByLabel('pager').check();
    await button(page, 'Save').click();
    await page.waitForURL(/rules\/(?!new)/);
    expect(await page.getByLabel('Fires above (%)').inputValue()).toBe('20');
    await page.getByRole('region', { name: 'Alerts of this rule' }).getByText('firing, warning').waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows the history with the notices and the calls behind an alert', async () => {
    const { page, problems } = await open();
    const row = page.getByRole('row', { name: /firing, warning Bad calls/ });
    await button(page, 'Show').click();
    await row.getByText(/pager: delivered/).waitFor();
    await page.getByLabel('Firing only').check();
    await page.getByRole('region', { name: 'Firing now', exact: true }).waitFor();
    await hasNoBarriers(page);
    await row.getByRole('link', { name: '3 calls behind the alert Bad calls' }).press('Enter');
    await page.waitForURL(/console\/calls\?/);
    await soon(async () => expect(await page.locator('tbody tr').count()).toBe(3));
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows what fires above the other views, and notifies in the browser of what fires next', async () => {
    const options = { permissions: ['notifications'] };
    const { page, problems } = await ui.open(options);
    // Chromium has no list of the notifications of a page.
    await page.context().addInitScript(`
      window.shown = [];
      window.Notification = class extends Notification {
        constructor(title, more) { super(title, more); window.shown.push(title + ': ' + more.body); }
      };`);
    await signIn(page, ui.system, 'carol', '/console/feeds');
    const second = await page.context().newPage();
    await second.goto('/console/feeds');
    await second.getByRole('region', { name: 'Firing alerts' }).waitFor();
    const banner = page.getByRole('region', { name: 'Firing alerts' });
    await banner.getByText(/Share of bad calls.*: 100\s% in /).waitFor();
    await hasNoBarriers(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await fits(page);
    await hasNoBarriers(page);
    // One line: its actions are in a menu.
    await soon(async () => expect((await banner.boundingBox())?.height).toBeLessThan(48));
    await banner.getByRole('button', { name: 'What to do about the alert' }).press('Enter');
    await page.getByRole('menuitem', { name: 'View calls' }).waitFor();
    await page.getByRole('menuitem', { name: 'Dismiss' }).press('Enter');
    await banner.waitFor({ state: 'detached' });
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    const data = {
      name: 'Next',
      measure: 'badCalls',
      limit: 0.5,
      minimumCalls: 1,
      windowSeconds: 7_200,
      severity: 'critical',
    };
    const created = await page.request.post('/api/alert-rules', { headers, data });
    const { id }: { id: string } = await created.json();
    for (const tab of [page, second])
      await tab.getByRole('region', { name: 'Firing alerts' }).getByText('Next').waitFor();
    const shown = await Promise.all([page, second].map((tab) => tab.evaluate<readonly string[]>('window.shown')));
    expect(shown.flat()).toEqual([expect.stringMatching(/^Next: Share of bad calls: 100\s% in /)]);
    await page.request.delete(`/api/alert-rules/${id}`, { headers });
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Feeds' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('silences a rule for some hours from the list, and ends the silence', async () => {
    const { page } = await open();
    const hidden = await page
      .getByRole('region', { name: 'Table of rules' })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBe(0);
    await button(page, 'Silence Bad calls').press('Enter');
    await page.getByRole('menuitem', { name: 'for 8 hours' }).press('Enter');
    await page.getByText('silenced until').waitFor();
    await button(page, 'End the silence of Bad calls').press('Enter');
    await button(page, 'Silence Bad calls').waitFor();
    await page.context().close();
  });

  it('shows each alert and rule as a card on a phone, with the heads beside the values', async () => {
    const { page } = await ui.open({ viewport: { width: 390, height: 844 } });
    await signIn(page, ui.system, 'carol', ALERTS);
    for (const name of ['Table of rules', 'Table: Alerts']) {
      const list = page.getByRole('region', { name, exact: true });
      await list.getByRole('row', { name: /Bad calls/ }).waitFor();
      expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    await page
      .getByRole('region', { name: 'Table of rules' })
      .getByRole('row', { name: /Bad calls/ })
      .getByRole('button', { name: 'Silence Bad calls' })
      .waitFor();
    expect(await headBeforeCell(page, 2)).toBe('"Fires when"');
    await hasNoBarriers(page);
    await page.context().close();
  });

  it('sends a test notice and names the receivers that failed', async () => {
    const { page } = await open();
    await page.getByRole('rowheader').getByRole('link', { name: 'Bad calls' }).last().click();
    await page.getByLabel('broken').check();
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    await button(page, 'Send test notification').click();
    await page.getByText(/pager: delivered/).waitFor();
    await page.getByText('broken: failed, the receiver cannot be reached (ECONNREFUSED)').waitFor();
    await page.context().close();
  });

  it('keeps what was entered when another operator has changed the rule, and saves it on request', async () => {
    const { page, problems } = await open();
    await page.getByRole('rowheader').getByRole('link', { name: 'Bad calls' }).last().click();
    await page.getByLabel('Name').fill('Mine');
    await page.getByRole('combobox', { name: /^Silence/ }).selectOption('weekly');
    await page.getByLabel('Sun').check();
    await page.getByLabel('From (UTC)').fill('22:00');
    await page.getByLabel('To (UTC)').fill('06:00');
    await button(page, 'Add silence').click();
    await page.getByText('Every Sunday, 22:00 to 06:00 UTC').waitFor();
    const [rule] = await rules(page);
    const headers = { authorization: `Bearer ${await signedInToken(page)}`, 'if-match': '*' };
    const data = { name: 'Theirs', measure: 'mos', limit: 3.5 };
    const changed = await page.request.put(`/api/alert-rules/${rule?.id}`, { headers, data });
    expect(changed.status()).toBe(200);
    await button(page, 'Save').click();
    await page.getByText('Another operator has changed or deleted this rule').waitFor();
    await hasNoBarriers(page);
    expect(await page.getByLabel('Name').inputValue()).toBe('Mine');
    await button(page, 'Overwrite with mine').click();
    await soon(async () => expect((await rules(page)).map(({ name }) => name)).toEqual(['Mine']));
    await page.getByText('Every Sunday, 22:00 to 06:00 UTC').waitFor();
    const again = await page.request.put(`/api/alert-rules/${rule?.id}`, { headers, data });
    expect(again.status()).toBe(200);
    await page.getByLabel('Name').fill('Mine again');
    await button(page, 'Save').click();
    await button(page, 'Discard my changes').click();
    await soon(async () => expect(await page.getByLabel('Name').inputValue()).toBe('Theirs'));
    expect(await page.getByLabel('Fires below (MOS)').inputValue()).toBe('3.5');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('silences a rule once between times in the zone that is shown', async () => {
    const { page } = await ui.open({ timezoneId: 'Asia/Kolkata' });
    await page.addInitScript(`localStorage.setItem('ringdown.timeZone', 'UTC')`);
    await signIn(page, ui.system, 'carol', ALERTS);
    await page.getByRole('rowheader').getByRole('link', { name: 'Theirs' }).last().click();
    await page.getByLabel('From (UTC)').fill('2031-05-06T12:00');
    await page.getByLabel('To (UTC)').fill('2031-05-06T13:00');
    await button(page, 'Add silence').click();
    await button(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const [rule] = await rules(page);
    expect(rule?.silences).toContainEqual({ from: '2031-05-06T12:00:00.000Z', to: '2031-05-06T13:00:00.000Z' });
    await page.context().close();
  });

  it('shows why the server refuses a rule, and deletes one with a second click', async () => {
    const { page } = await open();
    await page.getByRole('rowheader').getByRole('link', { name: 'Theirs' }).last().click();
    await page.getByLabel(/Only calls with these filters/).fill('verdict=purple');
    await button(page, 'Save').click();
    await page.getByText(/verdict must be/).waitFor();
    await button(page, 'Delete').click();
    await button(page, 'Delete Theirs').click();
    await page.getByText('No rules yet.').waitFor();
    await page.context().close();
  });

  it('has no page for a rule that does not exist, and its heading says so', async () => {
    const { page, problems } = await ui.open();
    await signIn(page, ui.system, 'carol', '/console/alerts/rules/none');
    await page.getByRole('heading', { name: 'There is no such alert rule.', level: 1 }).waitFor();
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('fits on phones, whose menu has the other views, in light and dark', async () => {
    for (const [colorScheme, width] of [
      ['light', 320],
      ['dark', 400],
    ] as const) {
      const { page } = await ui.open({ colorScheme, viewport: { width, height: 640 } });
      await signIn(page, ui.system, 'carol', '/console/alerts/rules/new');
      await page.getByLabel('Name').waitFor();
      await fits(page);
      await hasNoBarriers(page);
      const views = page.getByRole('navigation', { name: 'Views' });
      expect(await views.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await views.getByRole('button', { name: /^More\s*views/ }).press('Enter');
      await page.getByRole('menuitem', { name: 'Alerts' }).press('Enter');
      await page.waitForURL(`**${ALERTS}`);
      await views.getByRole('button', { name: /^Alerts\s*, more views/ }).waitFor();
      await page.getByText('No rules yet.').waitFor();
      await fits(page);
      await page.context().close();
    }
  });
});

/** What CSS shows before this cell of the first rule. */
function headBeforeCell(page: Page, column: number): Promise<string> {
  const cell = page.getByRole('region', { name: 'Table of rules' }).locator(`tbody tr > :nth-child(${column})`).first();
  return cell.evaluate((element) => getComputedStyle(element, '::before').content.split(' / ')[0] ?? '');
}
