import { eventually } from '@ringdown/testing/eventually';
import type { Locator, Page } from 'playwright-core';
import { fits, hasNoBarriers, stopPolling, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, startXml } from './records.js';

const FEEDS = '/console/feeds';

/** Reloads the view as it is when no record has arrived for so long. */
async function silentFor(page: Page, minutes: number): Promise<void> {
  await page.unroute('**/api/front-ends*');
  await page.route('**/api/front-ends*', async (route) => {
    const answer = await route.fetch();
    const { items, ...rest }: { items: readonly { lastSeen: string }[] } = await answer.json();
    const earlier = (at: string): string => new Date(Date.parse(at) - minutes * 60_000).toISOString();
    const json = { ...rest, items: items.map((item) => ({ ...item, lastSeen: earlier(item.lastSeen) })) };
    await route.fulfill({ response: answer, json });
  });
  await page.reload();
}

/** Waits for what the view shows after it has updated itself, without the 15 seconds in between. */
async function updated(page: Page, shown: Locator): Promise<void> {
  await eventually('the update', async () => {
    await page.clock.fastForward(15_000);
    return shown.isVisible();
  });
}

describe('the feeds view', () => {
  const ui = consoleUnderTest();
  // One for all tests: a session of its own for each takes a second of processor time.
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', FEEDS);
  });
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }));

  const region = (page: Page, name: string): ReturnType<Page['getByRole']> =>
    page.getByRole('region', { name, exact: true });
  const rowOf = (page: Page, name: string): ReturnType<Page['getByRole']> => page.getByRole('row', { name });

  async function refuse(body: string): Promise<void> {
    const headers = { 'content-type': 'text/xml' };
    const answer = await fetch(`${ui.system.feed}/somewhere`, { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
  }

  it('explains what to do before the first record, and shows the running services', async () => {
    await page.goto(FEEDS);
    await page.getByText('No records yet.').waitFor();
    await page.getByText('No rejected records in the last 7 days.').waitFor();
    await page.getByText('up to date', { exact: true }).waitFor();
    for (const service of ['aggregator', 'collector', 'application-people', 'discovery-auth'])
      await rowOf(page, service)
        .getByText(/running|up to date/)
        .waitFor();
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
  });

  it('shows each front end with its counts, and updates itself', async () => {
    await ui.system.post(startXml({ callId: 'one', frontEnd: 'fe1.example.test' }));
    await ui.system.post(startXml({ callId: 'two', frontEnd: 'fe2.example.test' }));
    await page.goto(FEEDS);
    const row = rowOf(page, 'fe1.example.test');
    await row.getByText('sending').waitFor();
    const link = row.getByRole('link', { name: 'fe1.example.test' });
    await soon(async () => {
      expect(await link.getAttribute('href')).toBe('/console/feeds/fe1.example.test');
      expect(await row.getByRole('cell').nth(3).textContent()).toBe('1');
    });
    await ui.system.post(endXml({ callId: 'one', frontEnd: 'fe1.example.test' }));
    // Its records, and the Count of the replies.
    for (const cell of [3, 8]) await row.getByRole('cell').nth(cell).getByText('2', { exact: true }).waitFor();
    await rowOf(page, 'collector').getByText('3 accepted').waitFor();
    await page.getByText('2 front ends').waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the sum of the Count of several collectors, which expands to each, and a dash without one', async () => {
    const times = { since: '2026-01-01T00:00:00.000Z', lastAnswer: '2026-01-02T00:00:00.000Z' };
    const both = [
      { replica: 'aaaaaaaaaaaa', host: 'first.example.test', count: 1_200, ...times },
      { replica: 'bbbbbbbbbbbb', host: 'second.example.test', count: 34, ...times },
    ];
    await page.route('**/api/front-ends?*', async (route) => {
      const answer = await route.fetch();
      const shown: { items: readonly { name: string }[] } = await answer.json();
      const items = shown.items.map((item) => ({ ...item, answers: item.name.startsWith('fe1') ? both : null }));
      await route.fulfill({ json: { ...shown, items } });
    });
    await page.goto(FEEDS);
    const summary = rowOf(page, 'fe1.example.test').locator('summary');
    await summary.getByText('1,234').waitFor();
    const second = page.getByText('34 second.example.test');
    await second.waitFor({ state: 'hidden' });
    await summary.focus();
    await page.keyboard.press('Enter');
    await second.waitFor();
    await page.getByText('1,200 first.example.test').waitFor();
    await rowOf(page, 'fe2.example.test').getByRole('cell').nth(8).getByText('–', { exact: true }).waitFor();
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
  });

  it('shows failed SIP requests by method, status and peer, and updates itself', async () => {
    const { page, problems } = await ui.open();
    await page.clock.install();
    await signIn(page, ui.system, 'carol', FEEDS);
    const failed = region(page, 'Failed SIP requests');
    await failed.getByText('No failed registrations', { exact: false }).waitFor();
    const rejected = { method: 'REGISTER', status: '403', peer: '192.0.2.7' };
    await ui.system.postSipFailures([
      { ...rejected, count: 1_200 },
      { method: 'OPTIONS', status: 'none', peer: '192.0.2.8', count: 3 },
    ]);
    await updated(page, failed.getByText('1,203 in the last 24 hours'));
    const cells = async (): Promise<readonly string[]> =>
      (await failed.getByRole('row').allTextContents()).slice(1).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(await cells()).toEqual([
      expect.stringContaining('REGISTER403192.0.2.7edge-11,200'),
      expect.stringContaining('OPTIONSNo response192.0.2.8edge-13'),
    ]);
    await ui.system.postSipFailures([{ ...rejected, count: 1 }]);
    await updated(page, failed.getByText('1,201', { exact: true }));
    await failed.getByRole('link', { name: 'Create alert rule' }).click();
    await page.waitForURL('**/console/alerts/rules/new');
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('shows rejected bodies with the reason, and the body when it is opened', async () => {
    await refuse('<Nonsense>from anna</Nonsense>');
    await page.goto(FEEDS);
    const refused = region(page, 'Rejected records');
    await refused.getByText('unknown-root', { exact: true }).waitFor();
    const body = page.getByText('<Nonsense>from anna</Nonsense>');
    await body.waitFor({ state: 'hidden' });
    await refused.locator('summary').press('Enter');
    await body.waitFor();
    await page.getByText('/somewhere').waitFor();
    await hasNoBarriers(page);
  });

  it('lists the rejected records of one reason', async () => {
    await refuse('This is not XML.');
    await page.goto(FEEDS);
    const refused = region(page, 'Rejected records');
    const chip = refused.getByRole('button', { name: 'not-xml 1' });
    await chip.press('Enter');
    await soon(async () => expect(await refused.locator('summary').count()).toBe(1));
    await refused.locator('summary').press('Enter');
    await page.getByText('This is not XML.').waitFor();
    await hasNoBarriers(page);
    await chip.press('Enter');
    await soon(async () => expect(await refused.locator('summary').count()).toBe(2));
  });

  it('shows what an alert is about when its link is opened, and everything again', async () => {
    await refuse('<FrontEnd>fe7</FrontEnd>');
    await refuse('<FrontEnd>FE7</FrontEnd>');
    const times = `from=${new Date(Date.now() - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;
    await page.goto(`${FEEDS}?code=unknown-root&frontEnd=fe7&${times}`);
    const refused = region(page, 'Rejected records');
    await refused.getByText('newest 2', { exact: true }).waitFor();
    await page.getByText(/rejected records of unknown-root, fe7, .* – .* only/).waitFor();
    await region(page, 'Failed SIP requests').getByText('No such failed requests.').waitFor();
    await hasNoBarriers(page);
    await page.getByRole('link', { name: 'Show all' }).click();
    await refused.getByText('newest 4', { exact: true }).waitFor();
    await page.goto(`${FEEDS}?code=not-xml&frontEnd=fe7`);
    await refused.getByText('No such rejected records.').waitFor();
  });

  it('marks a silent feed after three of its usual intervals, as bad after ten', async () => {
    const calls = Array.from({ length: 12 }, (_, index) =>
      startXml({ callId: `busy-${index}`, frontEnd: 'fe3.example.test' }),
    );
    await ui.system.post(...calls);
    await page.goto(FEEDS);
    await rowOf(page, 'fe3.example.test').getByText('sending').waitFor();
    await soon(async () => {
      const cell = rowOf(page, 'fe3.example.test').getByRole('cell').nth(3);
      expect(await cell.textContent()).toBe('12');
    });
    for (const [minutes, title] of [
      [4, 'poor'],
      [11, 'bad'],
    ] as const) {
      await silentFor(page, minutes);
      await rowOf(page, 'fe3.example.test')
        .getByText(/silent for/)
        .waitFor();
      const mark = rowOf(page, 'fe3.example.test').locator(`[title^="Usually a record every"] [class*="${title}"]`);
      await mark.waitFor();
    }
  });

  it('hides bodies that the server hides', async () => {
    await page.route('**/api/rejected-records*', (route) =>
      route.continue({ url: `${route.request().url()}&identities=hidden` }),
    );
    await page.goto(FEEDS);
    await region(page, 'Rejected records').locator('summary').first().click();
    await page.getByText('only the reveal role can see it').first().waitFor();
    expect(await page.getByText('from anna').count()).toBe(0);
  });

  it('marks a front end that has been silent for long', async () => {
    await page.goto(FEEDS);
    await rowOf(page, 'fe2.example.test').getByText('sending').waitFor();
    await silentFor(page, 20);
    await rowOf(page, 'fe2.example.test')
      .getByText(/silent for \d+\smin/)
      .waitFor();
    await hasNoBarriers(page);
  });

  it('has a page for each feed: its activity, gaps, clock, kinds of records, and what was rejected', async () => {
    const early = { frontEnd: 'fe 8/é.example.test', ago: 30 };
    await ui.system.post(startXml({ callId: 'slow clock', ...early }), endXml({ callId: 'slow clock', ...early }));
    await refuse('<FrontEnd>fe 8/é.example.test</FrontEnd>');
    await page.goto(FEEDS);
    await rowOf(page, 'fe 8/é.example.test').getByRole('link', { name: 'fe 8/é.example.test' }).click();
    await page.getByRole('heading', { name: 'fe 8/é.example.test', level: 1 }).waitFor();
    const activity = region(page, 'Activity');
    await activity.getByText('sending').waitFor();
    await activity.getByText('2 in the last day, 2 in all').waitFor();
    await activity.getByText(/^30\ss behind$/).waitFor();
    await activity.getByText('0 in the last day, 0 in all').first().waitFor();
    // What leads to no calls is no link.
    expect(await activity.getByRole('link').count()).toBe(0);
    await region(page, 'Gaps').getByText('No gaps in the last day.').waitFor();
    const kinds = region(page, 'Records by kind');
    await kinds.getByRole('row', { name: 'End 1' }).waitFor();
    await kinds.getByRole('row', { name: 'Start or change of media 1' }).waitFor();
    await region(page, 'Failed SIP requests').getByText('No such failed requests.').waitFor();
    await region(page, 'Rejected records').getByText('newest 1', { exact: true }).waitFor();
    expect(await page.title()).toBe('fe 8/é.example.test – Ringdown');
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await hasNoBarriers(page);
      await fits(page);
    }
    await page.getByRole('link', { name: 'Its calls', exact: true }).click();
    await page.getByRole('region', { name: 'Calls found' }).locator('tbody tr').waitFor();
    await page.goto(`${FEEDS}/nobody`);
    await page.getByRole('heading', { name: 'No record of this front end has been received.', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'All feeds' }).click();
    await page.waitForURL(`**${FEEDS}`);
    expect(problems).toEqual([]);
  });

  it('shows when a feed sent nothing', async () => {
    const gap = { from: '2026-01-01T10:00:00.000Z', to: '2026-01-01T10:20:00.000Z', seconds: 1_200 };
    await page.route('**/api/front-ends/fe1*', async (route) => {
      const answer = await route.fetch();
      const shown: { readonly activity: object } = await answer.json();
      const gaps = [gap, { ...gap, from: '2026-01-01T11:00:00.000Z', to: null, seconds: 900 }];
      await route.fulfill({ json: { ...shown, activity: { ...shown.activity, gaps } } });
    });
    await page.goto(`${FEEDS}/fe1.example.test`);
    const rows = region(page, 'Table of gaps').getByRole('row');
    await soon(async () =>
      expect((await rows.allTextContents()).slice(1)).toEqual([
        expect.stringMatching(/it lasts15:00$/),
        expect.stringMatching(/20:00$/),
      ]),
    );
    await hasNoBarriers(page);
  });

  it('shows which part failed, shows the others, and retries', async () => {
    await page.route('**/api/services', (route) => route.fulfill({ status: 400, json: { detail: 'Not today.' } }));
    await page.goto(FEEDS);
    await region(page, 'Services').getByText('Not today.').waitFor();
    await rowOf(page, 'fe1.example.test').waitFor();
    // Otherwise it retries by itself, perhaps earlier.
    await stopPolling(page);
    await hasNoBarriers(page);
    await region(page, 'Services').getByText('Not today.').waitFor();
    await page.unroute('**/api/services');
    await region(page, 'Services').getByRole('button', { name: 'Try again' }).click();
    await rowOf(page, 'aggregator').waitFor();
  });

  it('continues after an outage of the system', async () => {
    await page.goto(FEEDS);
    await rowOf(page, 'fe1.example.test').waitFor();
    await ui.system.pause();
    await page.getByText('Showing older data.').first().waitFor();
    await rowOf(page, 'fe1.example.test').waitFor();
    await ui.system.resume();
    await page.getByText('Showing older data.').first().waitFor({ state: 'detached' });
    await soon(async () => expect(await rowOf(page, 'aggregator').count()).toBe(1));
  });

  it.each(['quality', 'feeds', 'alerts', 'captures', 'start', 'account'])(
    'has one scroller in the view %s, whose end is that of its content',
    async (view) => {
      await page.setViewportSize({ width: 1280, height: 400 });
      await page.goto(`/console/${view}`);
      await page.locator('main section').first().waitFor();
      await soon(async () => expect(await scrollers(page)).toBe(1));
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  it('fits from a phone to a wide screen, and is accessible in light and dark', async () => {
    await ui.system.post(startXml({ callId: 'wide', frontEnd: 'fe1.example.test' }));
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1_600]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.goto(FEEDS);
        await rowOf(page, 'fe1.example.test').waitFor();
        await rowOf(page, 'aggregator').waitFor();
        await hasNoBarriers(page);
        await fits(page);
        // On a phone each row is a card: nothing is out of sight at the side.
        expect(width < 480 ? await hiddenWidths(page) : [0, 0]).toEqual([0, 0]);
        await soon(async () => {
          const box = await region(page, 'Rejected records').boundingBox();
          expect(box?.width).toBeLessThan(width);
        });
      }
    }
  });
});

/** Elements of the height of the view that can be scrolled: with two, the wheel ends on a blank page. */
function scrollers(page: Page): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll('main, main *')].filter((element) =>
    /auto|scroll/.test(getComputedStyle(element).overflowY) &&
    element.scrollHeight > element.clientHeight && element.clientHeight > innerHeight / 2).length`);
}

/** How much of the tables of front ends and services is out of sight. */
async function hiddenWidths(page: Page): Promise<readonly number[]> {
  const tables = ['Table of front ends', 'Table of services'].map((name) => page.getByRole('region', { name }));
  return Promise.all(
    tables.map((table) => table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)),
  );
}
