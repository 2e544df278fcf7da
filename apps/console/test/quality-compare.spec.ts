import type { Locator, Page } from 'playwright-core';
import { allProcessed, hasNoBarriers, isAccessibleOnAnyScreen, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, qualityXml, startXml, type Example } from './records.js';

const QUALITY = '/console/quality';
const WEEK_S = 604_800;
const OSLO = '10.1.0.10';
const BERGEN = '10.2.0.20';
const BAD = 'Bad streams';
const JITTER = 'Jitter, p95';

interface Made extends Pick<Example, 'frontEnd' | 'jitter'> {
  readonly name: string;
  readonly calls: number;
  readonly bad: number;
  readonly ip: string;
  readonly weeksAgo?: number;
}

const MADE: readonly Made[] = [
  { name: 'a', calls: 60, bad: 48, ip: OSLO, frontEnd: 'fe1.example.test' },
  { name: 'b', calls: 60, bad: 3, ip: BERGEN, frontEnd: 'fe2.example.test', jitter: 25 },
  { name: 'c', calls: 60, bad: 3, ip: BERGEN, frontEnd: 'fe3.example.test' },
  { name: 'before', calls: 60, bad: 2, ip: OSLO, frontEnd: 'fe1.example.test', weeksAgo: 1 },
];

function madeCalls({ name, calls, bad, ip, weeksAgo = 0, ...others }: Made): readonly string[] {
  return Array.from({ length: calls }, (_, n) => {
    const ago = 7_200 + n * 20 + weeksAgo * WEEK_S;
    const call = { callId: `${name} ${n}`, from: `${name}-a${n}`, to: `${name}-b${n}`, ...others };
    const ends = [{ ip }, { ip: '198.51.100.1' }] as const;
    const all = [ago, ago - 5, ago - 6].map((at) => ({ ...call, ends, ago: at }));
    const [start = call, end = call, report = call] = all;
    return [startXml(start), endXml(end), qualityXml(report, n < bad ? 0.4 : 0.001)];
  }).flat();
}

describe('the comparison in the quality view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];

  beforeAll(async () => {
    for (const made of MADE) await ui.system.post(...madeCalls(made));
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', QUALITY);
    await allProcessed(page);
  });

  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const legend = (name: string): Locator => region(name).getByRole('listitem');
  const lines = (): Locator => page.getByRole('list', { name: 'Lines' }).getByRole('listitem');
  const query = (): URLSearchParams => new URL(page.url()).searchParams;

  async function hasLegend(chart: string, ...expected: readonly RegExp[]): Promise<void> {
    await soon(async () =>
      expect(await legend(chart).allTextContents()).toEqual(expected.map((text) => expect.stringMatching(text))),
    );
  }

  it('has one line for each value in each chart, and marks which of them differ', async () => {
    await page.getByRole('combobox', { name: 'Compare', exact: true }).selectOption('frontEnd');
    await page.waitForURL(`**${QUALITY}?compare=frontEnd`);
    await hasLegend(
      BAD,
      /^fe1\.example\.test 80\s% of 60 streams ▲ more bad than the others \(80\s%, others 5\s%\)$/,
      /^fe2\.example\.test 5\s% of 60 streams ▼ fewer bad than the others \(5\s%, others 42\.5\s%\)$/,
      /^fe3\.example\.test 5\s% of 60 streams ▼ fewer bad than the others \(5\s%, others 42\.5\s%\)$/,
    );
    await hasLegend(
      JITTER,
      /^fe1\.example\.test p95 at most \d+\sms ▼ fewer above \d+\sms/,
      /^fe2\.example\.test p95 at most \d+\sms ▲ more above \d+\sms than the others \(100\s%, others 0\s%\)$/,
      /^fe3\.example\.test p95 at most \d+\sms ▼ fewer above \d+\sms/,
    );
    await hasLegend(
      'Answer-seizure ratio',
      ...[1, 2, 3].map((n) => new RegExp(`^fe${n}\\S+ 100\\s% of 60 calls answered$`)),
    );
    await hasLegend('Round trip, p95', ...[1, 2, 3].map((n) => new RegExp(`^fe${n}\\S+ p95 at most \\d+\\sms$`)));
    await page
      .getByText(/^Marked \(▲ more, ▼ fewer\): what differs from all other lines together by more than 3 percentage/)
      .waitFor();
    await region(BAD).locator('a[data-words*="fe2.example.test"]').first().waitFor();
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
  });

  it('has the values of each line in a table, with links to their calls', async () => {
    await region(BAD).getByText('Numbers').click();
    const numbers = region(`${BAD}, numbers`);
    await numbers.getByRole('columnheader', { name: 'fe2.example.test' }).waitFor();
    const cell = numbers.getByRole('link', { name: /^fe1\.example\.test: \d+(\.\d+)?\s%, / }).first();
    await cell.click();
    await page.waitForURL('**/console/calls?**');
    expect(query().getAll('frontEnd')).toEqual(['fe1.example.test']);
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(3_600_000);
    await page.goBack();
    await legend(BAD).first().waitFor();
  });

  it('keeps the chosen lines in the address, from which a link opens the same', async () => {
    await page.getByRole('button', { name: 'Remove the line fe2.example.test' }).click();
    await page.waitForURL(`**${QUALITY}?compare=frontEnd&line=fe1.example.test&line=fe3.example.test`);
    await hasLegend(BAD, /^fe1\.example\.test .*▲ more bad/, /^fe3\.example\.test .*▼ fewer bad/);
    await page.getByLabel('Add a line').fill('fe9.example.test');
    await page.getByLabel('Add a line').press('Enter');
    await hasLegend(BAD, /^fe1/, /^fe3/, /^fe9\.example\.test nothing measured$/);
    await page.reload();
    await hasLegend(BAD, /^fe1/, /^fe3/, /^fe9\.example\.test nothing measured$/);
    expect(await lines().allTextContents()).toHaveLength(3);
  });

  it('has a line for each of several values in the filter, also of sites, which filters take one of', async () => {
    await page.goto(`${QUALITY}?frontEnd=fe3.example.test&frontEnd=FE2.example.test&compare=frontEnd`);
    await hasLegend(BAD, /^fe3\.example\.test/, /^fe2\.example\.test/);
    await page.goto(`${QUALITY}?compare=site`);
    await hasLegend(BAD, /^Bergen 5\s% of 120 streams ▼/, /^Oslo 80\s% of 60 streams ▲/);
    await page.goto(`${QUALITY}?compare=relay`);
    await region('Lines').getByText('No values to compare in this period.').waitFor();
  });

  it('compares weeks of the same metric', async () => {
    await page.goto(QUALITY);
    await page.getByRole('combobox', { name: 'Compare', exact: true }).selectOption({ label: '2 weeks' });
    await page.waitForURL(`**${QUALITY}?compare=2weeks`);
    await hasLegend(
      BAD,
      / 30\s% of 180 streams ▲ more bad than the others \(30\s%, others 3\.33\s%\)$/,
      / 3\.33\s% of 60 streams ▼ fewer/,
    );
    await region(BAD).getByText('Numbers').click();
    const cell = region(`${BAD}, numbers`).locator('tbody tr').first().getByRole('link').nth(1);
    await cell.click();
    await page.waitForURL('**/console/calls?**');
    const found = page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');
    await soon(async () => expect((await found.allTextContents())[0]).toMatch(/before-a\d+@/));
  });

  it('names what it does not know in the address', async () => {
    const many = Array.from({ length: 7 }, (_, n) => `&line=fe${n}`).join('');
    await page.goto(`${QUALITY}?compare=frontEnd${many}&mood=bad`);
    await page
      .getByRole('note')
      .getByText('Ignored in the address, unknown or with a wrong value: line=fe6, mood=bad')
      .waitFor();
    await page.goto(`${QUALITY}?compare=9weeks&line=x`);
    await page
      .getByRole('note')
      .getByText('Ignored in the address, unknown or with a wrong value: compare=9weeks, line=x')
      .waitFor();
    await region('Streams by verdict').waitFor();
  });

  it('is accessible and fits from a phone to a wide screen, in both languages', async () => {
    await page.goto(`${QUALITY}?compare=frontEnd`);
    await page.setViewportSize({ width: 1_440, height: 800 });
    await legend(BAD).nth(2).waitFor();
    await hasNoBarriers(page);
    await isAccessibleOnAnyScreen(page, () => legend(BAD).nth(2).waitFor());
    const german = await ui.open({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
    const { username, password } = ui.system.user('carol');
    await german.page.goto(`${QUALITY}?compare=frontEnd`);
    await german.page.getByLabel('Benutzername').fill(username);
    await german.page.getByLabel('Passwort').fill(password);
    await german.page.getByRole('button', { name: 'Anmelden' }).click();
    const first = german.page
      .getByRole('region', { name: 'Schlechte Streams', exact: true })
      .getByRole('listitem')
      .first();
    await first.getByText(/mehr schlechte als die anderen \(80\s%, sonst 5\s%\)/).waitFor();
    await hasNoBarriers(german.page);
    // Nothing is cut off on the left, where no page scrolls.
    const button = await german.page.getByRole('button', { name: 'Aktualisieren' }).boundingBox();
    expect(button?.x).toBeGreaterThan(0);
    expect([...problems, ...german.problems]).toEqual([]);
    await german.page.context().close();
  });
});
