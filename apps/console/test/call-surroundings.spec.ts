import type { Page } from 'playwright-core';
import { allProcessed, isAccessibleOnAnyScreen, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, errorXml, startXml, type Example } from './records.js';

const HOUR = 3_600;

describe('calls around a failed one', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];

  /** Seconds since the middle of the hour before this one: all calls of it are in the same hour. */
  const ago = Math.floor((Date.now() / 1000) % HOUR) + HOUR / 2;
  const refused = (callId: string, more: number): string =>
    errorXml({ callId, from: 'dora', ago: ago + more }).replace('Code="486">Busy Here', 'Code="503">Down');
  const ended = (example: Example & { readonly ago: number }): readonly string[] => [
    startXml(example),
    endXml({ ...example, ago: example.ago - 60 }),
  ];

  beforeAll(async () => {
    const before = Array.from({ length: 24 }, (_, n) =>
      ended({
        callId: `before ${n}`,
        ago: ago + 86_400 + n,
        frontEnd: n % 2 === 0 ? 'fe1.example.test' : 'fe2.example.test',
      }),
    );
    await ui.system.post(...before.flat());
    await ui.system.post(
      ...['one', 'two', 'three', 'four'].map((callId, n) => refused(callId, n)),
      errorXml({ callId: 'busy', from: 'dora', ago }),
      ...ended({ callId: 'good', from: 'gus', ago, ends: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }] }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls/one');
    await allProcessed(page);
    await page.reload();
  });

  it('tell whether it was only this call, with links to those that failed as well', async () => {
    const section = page.getByRole('region', { name: 'Was it only this call?' });
    await section.getByText('No: more trouble than usual with Site Oslo, Front end fe1.example.test.').waitFor();
    const rows = section.getByRole('row');
    await soon(async () =>
      expect(await rows.allTextContents()).toEqual([
        'Calls withIn the same hourIn the seven days before',
        'Site Oslo4 of 5 failed (80\u00A0%)0 of 24 failed (0\u00A0%)',
        'Front end fe1.example.test4 of 6 failed (66.7\u00A0%)0 of 12 failed (0\u00A0%)',
      ]),
    );
    await isAccessibleOnAnyScreen(page, () => section.getByRole('table').waitFor());
    await page.setViewportSize({ width: 1280, height: 800 });
    await section.getByRole('link', { name: '4 of 5 failed' }).click();
    const found = page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');
    await soon(async () => expect(await found.count()).toBe(4));
    await page.getByRole('button', { name: /^Remove Site: Oslo/ }).waitFor();
  });

  it('are no question where a person answered', async () => {
    await page.goto('/console/calls/busy');
    await page.getByRole('note', { name: 'Why the call ended' }).waitFor();
    await page.getByRole('region', { name: 'Was it only this call?' }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });
});
