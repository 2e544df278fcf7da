import type { Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

const CHOSEN = 'correct horse battery';

describe('my account', () => {
  const ui = consoleUnderTest();

  async function open(name: string): Promise<{ page: Page; problems: readonly string[] }> {
    const opened = await ui.open();
    await signIn(opened.page, ui.system, name);
    await opened.page.getByRole('button', { name: /Signed in as/ }).click();
    await opened.page.getByRole('menuitem', { name: 'My account' }).click();
    await opened.page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await opened.page.getByText('this session').waitFor();
    return opened;
  }

  async function fill(page: Page, current: string, chosen: string, again = chosen): Promise<void> {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(chosen);
    await page.getByLabel('Confirm new password').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  }

  it('shows the rules, rejects what breaks them, and changes the password without signing out', async () => {
    const { page, problems } = await open('alice');
    const other = await ui.open();
    await signIn(other.page, ui.system, 'alice');
    const { password } = ui.system.user('alice');
    await page.getByText('has 10 to 256 characters').waitFor();
    await fill(page, password, CHOSEN, 'another one');
    await page.getByText('The new passwords do not match.').waitFor();
    await fill(page, password, 'Password2026!');
    await page.getByText(/The new password is on the list of known passwords/).waitFor();
    await fill(page, 'wrong', CHOSEN);
    await page.getByText('The current password is wrong.').waitFor();
    await hasNoBarriers(page);
    await fill(page, password, CHOSEN);
    await page.getByText('Password changed. All other sessions have ended.').waitFor();
    await soon(async () => expect(await page.getByRole('row').count()).toBe(2));
    await page.reload();
    await page.getByText('this session').waitFor();
    // The page of the other session finds out with its next request.
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.page.getByLabel('Username').fill('alice');
    await other.page.getByLabel('Password').fill(CHOSEN);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('navigation', { name: 'Views' }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it('shows the sessions and ends one, and all others', async () => {
    const { page, problems } = await open('bob');
    const others = await Promise.all([ui.open(), ui.open()]);
    for (const { page: other } of others) await signIn(other, ui.system, 'bob');
    await page.reload();
    await soon(async () => expect(await page.getByRole('row').count()).toBe(4));
    await page.getByRole('cell', { name: '127.0.0.1' }).first().waitFor();
    await page.getByRole('cell', { name: /Chrom/ }).first().waitFor();
    await hasNoBarriers(page);
    await fits(page);
    await page.getByRole('button', { name: 'End the session from 127.0.0.1' }).first().click();
    await soon(async () => expect(await page.getByRole('row').count()).toBe(3));
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await soon(async () => expect(await page.getByRole('row').count()).toBe(2));
    for (const { page: other } of others) {
      await other.reload();
      await other.getByRole('button', { name: 'Sign in' }).waitFor();
      await other.context().close();
    }
    expect(problems).toEqual([]);
    await page.context().close();
  });
});
