import { eventually } from '@ringdown/testing/eventually';
import type { Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn, soon, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

/** One pixel. */
const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The server collects presence changes for five seconds. */
const LONG_TIMEOUT = { timeout: 60_000 };

describe('the people view', () => {
  const ui = consoleUnderTest();
  const opened: Page[] = [];

  afterEach(async () => {
    for (const page of opened.splice(0)) {
      // The next test begins without signed-in users.
      await signOut(page);
      await page.context().close();
    }
  });

  async function people(name: string): Promise<Page> {
    const { page, problems } = await ui.open();
    opened.push(page);
    await signIn(page, ui.system, name, '/console/people');
    await page.getByRole('button', { name: 'Available: how others see you' }).waitFor(LONG_TIMEOUT);
    expect(problems).toEqual([]);
    return page;
  }

  async function signOut(page: Page): Promise<void> {
    const account = page.getByRole('button', { name: /Signed in as/ });
    const isOut = page.getByRole('button', { name: 'Sign in' });
    await account.or(isOut).waitFor();
    if ((await account.count()) === 0) return;
    await account.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await isOut.waitFor(LONG_TIMEOUT);
  }

  async function find(page: Page, name: string): Promise<void> {
    await page.getByLabel('Find people').fill(name);
    await page.getByRole('region', { name: 'Found people' }).getByRole('button', { name }).click();
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByLabel('Find people').fill('');
  }

  async function write(page: Page, to: string, text: string): Promise<void> {
    const field = page.getByLabel(`Message to ${to}`);
    await field.fill(text);
    await field.press('Enter');
  }

  /** Alice and Bob with an open conversation. */
  async function talking(): Promise<{ alice: Page; bob: Page }> {
    const [alice, bob] = [await people('alice'), await people('bob')];
    await find(alice, 'Bob Baker');
    await write(alice, 'Bob Baker', 'Are you there?');
    const toast = bob.getByRole('region', { name: 'Invitations' });
    await toast.getByText('Are you there?').waitFor(LONG_TIMEOUT);
    await toast.getByRole('button', { name: 'Accept' }).click();
    await message(bob, 'Are you there?').waitFor(LONG_TIMEOUT);
    await alice.getByText('Connected').waitFor(LONG_TIMEOUT);
    return { alice, bob };
  }

  function message(page: Page, text: string): ReturnType<Page['locator']> {
    return page.getByRole('log').getByText(text, { exact: true });
  }

  it('exchanges messages between two browsers', async () => {
    const { alice, bob } = await talking();
    await bob.getByLabel('Message to Alice Archer').pressSequentially('Ye');
    await alice.getByRole('log').getByText('Bob Baker is writing …').waitFor(LONG_TIMEOUT);
    await write(bob, 'Alice Archer', 'Yes, <b>100 %</b> 👋');
    await message(alice, 'Yes, <b>100 %</b> 👋').waitFor(LONG_TIMEOUT);
    await bob
      .getByRole('log')
      .getByText(/delivered/)
      .waitFor(LONG_TIMEOUT);
    await write(alice, 'Bob Baker', 'Good');
    await message(bob, 'Good').waitFor(LONG_TIMEOUT);
    await bob.reload();
    await bob.getByText('Connected').waitFor(LONG_TIMEOUT);
    await bob
      .getByRole('log')
      .getByText(/^Messages from before this page was opened are not shown/)
      .waitFor(LONG_TIMEOUT);
    await write(alice, 'Bob Baker', 'Still there?');
    await message(bob, 'Still there?').waitFor(LONG_TIMEOUT);
    await alice.getByRole('button', { name: 'End', exact: true }).click();
    await bob.getByRole('button', { name: 'End', exact: true }).waitFor({ state: 'detached', ...LONG_TIMEOUT });
    await message(bob, 'Still there?').waitFor();
  });

  it('shows invitations and unread messages in every view, and counts them', async () => {
    const { page: carol, problems } = await ui.open();
    opened.push(carol);
    await signIn(carol, ui.system, 'carol', '/console/feeds');
    const toasts = carol.getByRole('region', { name: 'Invitations and messages' });
    const views = carol.getByRole('navigation', { name: 'Views' });
    await toasts.waitFor({ state: 'attached' });
    const alice = await people('alice');
    await find(alice, 'Carol Cooper');
    await write(alice, 'Carol Cooper', 'Are you there?');
    await toasts.getByText('Are you there?').waitFor(LONG_TIMEOUT);
    await soon(async () => expect(await views.textContent()).toContain('People, 1 unread'));
    await hasNoBarriers(carol);
    await toasts.getByRole('button', { name: 'Accept' }).press('Enter');
    await carol.waitForURL(/people\?with=/);
    await message(carol, 'Are you there?').waitFor(LONG_TIMEOUT);
    await views.getByRole('link', { name: 'Feeds' }).click();
    await write(alice, 'Carol Cooper', 'One more');
    await toasts.getByText('One more').waitFor(LONG_TIMEOUT);
    await carol.setViewportSize({ width: 320, height: 640 });
    await views.getByRole('button', { name: /^More\s*views\s*,\s*1\s*unread/ }).waitFor();
    await fits(carol);
    await hasNoBarriers(carol);
    await toasts.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await toasts.getByText('One more').waitFor({ state: 'detached' });
    await write(alice, 'Carol Cooper', 'And another');
    await toasts.getByText('And another').waitFor(LONG_TIMEOUT);
    const second = await carol.context().newPage();
    await second.goto('/console/feeds');
    const others = second.getByRole('navigation', { name: 'Views' });
    await soon(async () => expect(await others.textContent()).toContain('People, 2 unread'));
    await toasts.getByRole('button', { name: 'Open' }).press('Enter');
    await message(carol, 'And another').waitFor(LONG_TIMEOUT);
    await soon(async () => expect(await others.textContent()).not.toContain('unread'));
    await second.close();
    await views.getByRole('button', { name: /^People\s*, more views$/ }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows that a person declined, or is not reachable', async () => {
    const [alice, bob] = [await people('alice'), await people('bob')];
    await find(alice, 'Bob Baker');
    await write(alice, 'Bob Baker', 'Now?');
    await bob.getByRole('button', { name: 'Decline' }).click(LONG_TIMEOUT);
    await alice
      .getByRole('log')
      .getByText(/Bob Baker declined/)
      .waitFor(LONG_TIMEOUT);
    await bob.getByRole('button', { name: 'Decline' }).waitFor({ state: 'detached', ...LONG_TIMEOUT });
    await find(alice, 'Carol Cooper');
    await write(alice, 'Carol Cooper', 'Are you there?');
    await alice
      .getByRole('log')
      .getByText(/Carol Cooper is not signed in/)
      .waitFor(LONG_TIMEOUT);
  });

  it('shows changes of presence at once', async () => {
    const [alice, bob] = [await people('alice'), await people('bob')];
    await find(alice, 'Bob Baker');
    const panel = alice.locator('header').last();
    await panel.getByText('Available').waitFor(LONG_TIMEOUT);
    await bob.getByRole('button', { name: /how others see you/ }).click();
    await bob.getByRole('menuitem', { name: 'Do not disturb' }).click();
    await panel.getByText('Do not disturb').waitFor(LONG_TIMEOUT);
    await bob.getByLabel('Your note').fill('In the lab until noon');
    await bob.getByLabel('Your note').press('Enter');
    await panel.getByText('“In the lab until noon”').waitFor(LONG_TIMEOUT);
    await panel.getByText('Do not disturb').waitFor();
    await bob.getByLabel('Your note').fill('');
    await bob.getByLabel('Your note').press('Enter');
    await bob.getByRole('button', { name: /how others see you/ }).click();
    await bob.getByRole('menuitem', { name: 'Reset status' }).click();
    await panel.getByText('Available').waitFor(LONG_TIMEOUT);
  });

  it('shows photos, or initials', async () => {
    ui.system.keepPhoto('bob', PHOTO);
    const alice = await people('alice');
    const panel = alice.locator('header').last();
    await find(alice, 'Bob Baker');
    const width = (): Promise<number> => panel.locator('img').evaluate((photo: HTMLImageElement) => photo.naturalWidth);
    await eventually('the photo', async () => (await width()) === 1, LONG_TIMEOUT.timeout);
    await find(alice, 'Carol Cooper');
    await panel.locator('img').waitFor({ state: 'detached' });
    await panel.getByText('CC').waitFor();
  });

  it('links to the calls of a person if the role allows it', async () => {
    const [carol, alice] = [await people('carol'), await people('alice')];
    await find(alice, 'Bob Baker');
    expect(await alice.getByRole('link', { name: 'Calls', exact: true }).count()).toBe(0);
    await find(carol, 'Bob Baker');
    await carol.getByRole('link', { name: 'Calls', exact: true }).click();
    await carol.waitForURL('**/console/calls?user=bob%40example.test');
    const user = carol.getByLabel('User', { exact: true });
    await soon(async () => expect(await user.inputValue()).toBe('bob@example.test'));
  });

  it('keeps contacts in groups', async () => {
    const carol = await people('carol');
    await carol.getByRole('button', { name: 'New group …' }).click();
    await carol.getByRole('textbox', { name: 'Name' }).fill('Team');
    await carol.getByRole('button', { name: 'Save' }).click();
    await carol.getByRole('button', { name: 'Group Team' }).click();
    await carol.getByRole('menuitem', { name: 'Rename …' }).click();
    await carol.getByRole('textbox', { name: 'Name' }).fill('Crew');
    await carol.getByRole('textbox', { name: 'Name' }).press('Enter');
    await carol.getByRole('region', { name: 'Crew' }).waitFor();
    await find(carol, 'Bob Baker');
    await carol.getByRole('button', { name: 'Groups' }).click();
    await carol.getByRole('menuitem', { name: 'Add to Crew' }).click();
    await carol
      .getByRole('region', { name: 'Crew' })
      .getByRole('button', { name: /Bob Baker/ })
      .waitFor(LONG_TIMEOUT);
    // An operator has a link to the calls of a person.
    const calls = carol.getByRole('link', { name: 'Calls' });
    await soon(async () => expect(await calls.getAttribute('href')).toBe('/console/calls?user=bob%40example.test'));
    await carol.getByRole('button', { name: 'Groups' }).click();
    await carol.getByRole('menuitem', { name: 'Remove from contacts' }).click();
    await carol.getByRole('button', { name: 'Add to contacts' }).waitFor(LONG_TIMEOUT);
    await carol.getByRole('button', { name: 'Group Crew' }).click();
    await carol.getByRole('menuitem', { name: 'Delete group' }).click();
    await carol.getByRole('region', { name: 'Crew' }).waitFor({ state: 'detached', ...LONG_TIMEOUT });
  });

  it('returns to the same page after the token has expired', async () => {
    const alice = await people('alice');
    await find(alice, 'Bob Baker');
    const place = alice.url();
    const form = { token: await signedInToken(alice) };
    expect((await alice.context().request.post('/uc/token/revoke', { form })).status()).toBe(200);
    // Without any action, by the events.
    await alice.getByText('Your session has expired').waitFor(LONG_TIMEOUT);
    const { username, password } = ui.system.user('alice');
    await alice.getByLabel('Username').fill(username);
    await alice.getByLabel('Password').fill(password);
    await alice.getByRole('button', { name: 'Sign in' }).click();
    await alice.getByRole('heading', { name: 'Bob Baker', exact: true }).waitFor(LONG_TIMEOUT);
    await alice.waitForURL(place);
  });

  it('continues after an outage of the system', async () => {
    const { alice, bob } = await talking();
    await ui.system.pause();
    await alice.getByText('The server is not responding.').waitFor(LONG_TIMEOUT);
    await ui.system.resume();
    await alice.getByText('The server is not responding.').waitFor({ state: 'detached', ...LONG_TIMEOUT });
    await bob.getByText('The server is not responding.').waitFor({ state: 'detached', ...LONG_TIMEOUT });
    await write(bob, 'Alice Archer', 'Back again');
    await message(alice, 'Back again').waitFor(LONG_TIMEOUT);
    // Each message once.
    expect(await message(alice, 'Back again').count()).toBe(1);
    expect(await message(alice, 'Are you there?').count()).toBe(1);
    await bob.getByRole('button', { name: /how others see you/ }).click();
    await bob.getByRole('menuitem', { name: 'Be right back' }).click();
    await alice.locator('header').last().getByText('Be right back').waitFor(LONG_TIMEOUT);
    await bob.getByRole('button', { name: /how others see you/ }).click();
    await bob.getByRole('menuitem', { name: 'Reset status' }).click();
  });

  it('fits a phone and a wide screen, is accessible, and can be used with the keyboard', async () => {
    const page = await people('carol');
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [360, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 720 });
        await page.goto('/console/people');
        await page.getByRole('button', { name: 'Available: how others see you' }).waitFor(LONG_TIMEOUT);
        await hasNoBarriers(page);
        await page.getByLabel('Find people').pressSequentially('alice');
        await page.getByText('1 found').waitFor(LONG_TIMEOUT);
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Alice Archer', exact: true }).waitFor(LONG_TIMEOUT);
        await hasNoBarriers(page);
        await fits(page);
      }
    }
  });
});
