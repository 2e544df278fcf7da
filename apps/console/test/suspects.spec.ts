import type { Locator, Page } from 'playwright-core';
import { allProcessed, hasNoBarriers, isAccessibleOnAnyScreen, signedInToken, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, errorXml, qualityXml, startXml, type Example } from './records.js';
import { RunningDemo } from './running-demo.js';

const QUALITY = '/console/quality';
const OSLO = '10.1.0.10';
const BERGEN = '10.2.0.20';
const TITLE = 'What stands out';
const ROOM_SENTENCE = 'Room/2: 20 of 40 calls bad, others 2.86\u00A0%';

interface Made extends Pick<Example, 'codec'> {
  readonly name: string;
  readonly calls: number;
  readonly bad: number;
  readonly ip: string;
  readonly userAgent: string;
  /** On all of its calls, in place of a caller of each. */
  readonly caller?: string;
}

const MADE: readonly Made[] = [
  { name: 'usual', calls: 120, bad: 4, ip: BERGEN, userAgent: 'Desk/1' },
  // In Oslo, with others that are good: the site stands out because of it. Its codec has exactly the same calls.
  { name: 'room', calls: 40, bad: 20, ip: OSLO, userAgent: 'Room/2', codec: 'ODD/8000' },
  { name: 'oslo', calls: 20, bad: 0, ip: OSLO, userAgent: 'Desk/1' },
  { name: 'home', calls: 30, bad: 25, ip: '192.0.2.7', userAgent: 'Old/0', caller: 'zed' },
];

function madeRecords({ name, calls, bad, ip, userAgent, caller, ...others }: Made): readonly string[] {
  return Array.from({ length: calls }, (_, n) => {
    const ends = [{ ip, userAgent }, { ip: '198.51.100.1' }] as const;
    const ago = 7_200 + n * 20;
    const call = { callId: `${name} ${n}`, from: caller ?? `${name}-a${n}`, to: `${name}-b${n}`, ends, ...others };
    const loss = n < bad ? 0.4 : 0.001;
    return [startXml({ ...call, ago }), endXml({ ...call, ago: ago - 5 }), qualityXml({ ...call, ago: ago - 6 }, loss)];
  }).flat();
}

describe('what stands out in the quality view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];

  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', QUALITY);
  });

  const section = (): Locator => page.getByRole('region', { name: TITLE, exact: true });
  const link = (name: string): Locator => section().getByRole('link', { name });
  const foundCalls = (): Locator => page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');

  it('is nothing without calls, and comes first', async () => {
    await section().getByText('Nothing stands out.').waitFor();
    await section().getByText('There are too few calls to compare: a value needs at least 20.').waitFor();
    await hasNoBarriers(page);
    const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.slice(0, 2)).toEqual([TITLE, 'Streams by verdict']);
  });

  it('is one list over all dimensions, with the reason of each in a sentence', async () => {
    for (const made of MADE) await ui.system.post(...madeRecords(made));
    await allProcessed(page);
    await page.reload();
    await link(ROOM_SENTENCE).waitFor();
    const [room, home] = [section().getByRole('listitem').filter({ hasText: ROOM_SENTENCE }), link('Old/0')];
    await room.getByText('Device', { exact: true }).waitFor();
    await room
      .getByText(/^50\s%, with 95 % certainty between 35\.2\s% and 64\.8\s%\. Causes: Packet loss \(20\)\./)
      .waitFor();
    await room.getByText(/Exactly the same calls have .*Codec ODD\/8000.*: nothing tells them apart\./).waitFor();
    await room.getByText('Stand out only because of these calls:').waitFor();
    await room.getByText('Site Oslo (20 of 60 calls bad)').waitFor();
    await home.waitFor();
    await section()
      .getByText(/^All calls: \d\d(\.\d)?\s% bad, 0\s% failed, 0\s% without audio\.$/)
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('says what cannot be told from one person, and has it last', async () => {
    const items = section().locator('ol > li');
    await soon(async () =>
      expect((await items.getByRole('link').allTextContents()).map((text) => text.split(':')[0])).toEqual([
        'Room/2',
        'Old/0',
      ]),
    );
    const note = 'One person is on nearly all of these calls: the value cannot be told from this person.';
    expect(await items.nth(1).getByRole('note').allTextContents()).toEqual([note]);
    expect(await items.nth(0).getByRole('note').count()).toBe(0);
  });

  it('opens exactly the calls of a suspect, also with the keyboard', async () => {
    await link(ROOM_SENTENCE).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/calls?**');
    await soon(async () => expect(await foundCalls().count()).toBe(20));
    const callers = await foundCalls().allTextContents();
    expect(callers.filter((text) => !/room-a\d+@/.test(text))).toEqual([]);
    await page.goBack();
    await link(ROOM_SENTENCE).waitFor();
  });

  it('keeps to the filters and the period of the view, also behind its links', async () => {
    await page.goto(`${QUALITY}?userAgent=Desk/1`);
    await section().getByText('Nothing stands out.').waitFor();
    await section()
      .getByText(/^No value has far more bad or failed calls than the others, in \d+ comparisons\.$/)
      .waitFor();
    await page.goto(`${QUALITY}?not.userAgent=Old/0`);
    await link(ROOM_SENTENCE).click();
    await page.waitForURL('**/console/calls?**');
    const query = Object.fromEntries(new URL(page.url()).searchParams);
    expect(query).toMatchObject({ verdict: 'bad', 'not.userAgent': 'Old/0', uploads: 'exclude' });
    expect(Date.parse(query['to'] ?? '') - Date.parse(query['from'] ?? '')).toBe(86_400_000);
    await page.goto(`${QUALITY}?last=1h`);
    await section().getByText('There are too few calls to compare: a value needs at least 20.').waitFor();
  });

  it('has words for what the server refuses', async () => {
    await page.goto(`${QUALITY}?address=nowhere`);
    await page.getByRole('search').getByRole('alert').getByText('Address or subnet: nowhere.').waitFor();
    await section().waitFor({ state: 'hidden' });
    // A query of ten seconds needs more calls than a test can have.
    const tooMuch = { status: 400, json: { code: 'too-much', detail: 'Too much.' } };
    await page.route('**/api/suspects?*', (route) => route.fulfill(tooMuch));
    await page.goto(QUALITY);
    await section().getByText('The query takes too long: request a shorter time, or add filters.').waitFor();
    await page.unroute('**/api/suspects?*');
    await section().getByRole('button', { name: 'Try again' }).click();
    await link(ROOM_SENTENCE).waitFor();

    const headers = { authorization: `Bearer ${await signedInToken(page)}`, 'if-match': '*' };
    const data = { username: 'bob@example.test', name: 'Bob Baker', roles: ['operator'] };
    expect((await page.request.put('/api/people/bob@example.test', { headers, data })).status()).toBe(200);
    const other = await ui.signedIn('bob', `${QUALITY}?user=zed@example.test`);
    const alert = other.page.getByRole('search').getByRole('alert');
    await alert.getByText('Without the role reveal, calls can be searched only by what is shown').waitFor();
    await other.page.context().close();
  });

  it('names a front end whose calls fail', async () => {
    const refused = Array.from({ length: 60 }, (_, n): readonly string[] => {
      const call = { callId: `refused ${n}`, from: `r-a${n}`, to: `r-b${n}`, ago: 7_000, frontEnd: 'fe4.example.test' };
      if (n < 30) return [errorXml(call).replace('Code="486">Busy Here', 'Code="503">Down')];
      return [startXml(call), endXml({ ...call, ago: 6_990 })];
    });
    await ui.system.post(...refused.flat());
    await allProcessed(page);
    await page.goto(QUALITY);
    await link('fe4.example.test: 30 of 60 calls failed, others 0\u00A0%').click();
    await soon(async () => expect(await foundCalls().count()).toBe(30));
  });

  it('is accessible and fits from a phone to a wide screen, in both languages', async () => {
    await page.goto(QUALITY);
    await link(ROOM_SENTENCE).waitFor();
    await page.setViewportSize({ width: 1_440, height: 800 });
    await hasNoBarriers(page);
    await isAccessibleOnAnyScreen(page, () => link(ROOM_SENTENCE).waitFor());
    const german = await ui.open({ locale: 'de-DE', viewport: { width: 390, height: 844 } });
    const { username, password } = ui.system.user('carol');
    await german.page.goto(QUALITY);
    await german.page.getByLabel('Benutzername').fill(username);
    await german.page.getByLabel('Passwort').fill(password);
    await german.page.getByRole('button', { name: 'Anmelden' }).click();
    const region = german.page.getByRole('region', { name: 'Was auffällt', exact: true });
    await region.getByRole('link', { name: /^Room\/2: 20 von 40 Anrufen schlecht, sonst 2,86\s%$/ }).waitFor();
    await region.getByText('Fallen nur wegen dieser Anrufe auf:').first().waitFor();
    await hasNoBarriers(german.page);
    expect([...problems, ...german.problems]).toEqual([]);
    await german.page.context().close();
  });
});

describe('what stands out in the demo with a culprit', () => {
  const ui = consoleUnderTest();
  beforeAll(async () => {
    const demo = await RunningDemo.start(ui.system, 24, ['--culprit', 'driver']);
    await demo.stop();
  });

  it('is the culprit, one click from its calls', async () => {
    const { page, problems } = await ui.signedIn('carol', QUALITY);
    await allProcessed(page);
    await page.reload();
    const first = page.getByRole('region', { name: TITLE, exact: true }).getByRole('listitem').first();
    await first.getByText('Driver', { exact: true }).waitFor();
    const sentence = (await first.getByRole('link').textContent()) ?? '';
    const [, bad] = /^bcm4389: (\d+) of \d+ calls bad, others \d(?:\.\d+)?\s%$/.exec(sentence) ?? [];
    expect([sentence, bad]).toEqual([sentence, expect.stringMatching(/^\d+$/)]);
    await first.getByRole('link').click();
    // More than a page of them are "135 calls · 50 calls on this page".
    await page
      .getByText(new RegExp(`^${bad} calls(?: · |$)`))
      .first()
      .waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
