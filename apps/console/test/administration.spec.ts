import type { Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn, soon, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

describe('the accounts of people', () => {
  const ui = consoleUnderTest();

  async function open(name = 'carol'): Promise<{ page: Page; problems: readonly string[] }> {
    const opened = await ui.open();
    await signIn(opened.page, ui.system, name);
    await opened.page.getByRole('link', { name: 'Accounts' }).click();
    await opened.page.getByRole('rowheader', { name: 'carol@example.test' }).waitFor();
    return opened;
  }

  async function openPerson(page: Page, username: string): Promise<void> {
    await page.getByRole('rowheader').getByRole('link', { name: username }).click();
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  }

  async function search(page: Page, text: string, rows: number): Promise<void> {
    await page.getByLabel('Name, address, number').fill(text);
    await page.getByRole('button', { name: 'Search' }).click();
    // With the head of the table, if there is one.
    await soon(async () => expect(await page.getByRole('row').count()).toBe(rows === 0 ? 0 : rows + 1));
  }

  it('are not offered to others', async () => {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'alice', '/console/accounts');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    await page.context().close();
  });

  it('are listed, searched and selected', async () => {
    const { page, problems } = await open();
    await soon(async () => expect(await page.getByRole('row').count()).toBe(4));
    await hasNoBarriers(page);
    await fits(page);
    await search(page, 'bob BAKER', 1);
    await search(page, 'nobody here', 0);
    await page.getByText('No people match.').waitFor();
    await search(page, '', 3);
    await page.getByLabel('Role').selectOption('admin');
    await soon(async () => expect(await page.getByRole('row').count()).toBe(2));
    await page.getByRole('rowheader', { name: 'carol@example.test' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('are added with a password that works, after the server has refused what is wrong', async () => {
    const { page, problems } = await open();
    await page.getByRole('button', { name: 'Add person' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Dave דוד Dent');
    await page.getByLabel('Username', { exact: true }).fill('dave');
    await page.getByLabel('Phone, work').fill('+1 (202) 555-0104');
    await page.getByLabel('operator can view calls').check();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('username must be an address like user@example.test').waitFor();
    await hasNoBarriers(page);
    await page.getByLabel('Username', { exact: true }).fill('alice@example.test');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Another person has this username.').waitFor();
    await page.getByLabel('Username', { exact: true }).fill('dave@example.test');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('shown only once').waitFor();
    const password = await page.getByRole('status').locator('code').innerText();
    await page.getByRole('rowheader', { name: 'dave@example.test' }).waitFor();
    const other = await ui.open();
    await other.page.goto('/console/');
    await other.page.getByLabel('Username').fill('dave');
    await other.page.getByLabel('Password').fill(password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('navigation', { name: 'Views' }).waitFor();
    await openPerson(page, 'dave@example.test');
    expect(await page.getByLabel('Phone, work').inputValue()).toBe('+12025550104');
    await page.getByRole('button', { name: 'End the session from 127.0.0.1' }).click();
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect([...problems, ...other.problems]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });

  it('are changed; the second of two administrators reads again', async () => {
    const { page, problems } = await open();
    await openPerson(page, 'alice@example.test');
    await hasNoBarriers(page);
    await fits(page);
    const headers = { authorization: `Bearer ${await signedInToken(page)}`, 'if-match': '*' };
    const data = { username: 'alice@example.test', name: 'Alice Archer', title: 'Director' };
    const change = await page.request.put('/api/people/alice@example.test', { headers, data });
    expect(change.status()).toBe(200);
    await page.getByLabel('Title').fill('President');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It has changed since it was read').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await soon(async () => expect(await page.getByLabel('Title').inputValue()).toBe('Director'));
    await page.getByLabel('Title').fill('President');
    await page.getByLabel('Username', { exact: true }).fill('alicia@example.test');
    await page.getByLabel('SIP address').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/console/accounts/alicia%40example.test');
    await soon(async () => expect(await page.getByLabel('SIP address').inputValue()).toBe('sip:alicia@example.test'));
    expect(await page.getByLabel('Title').inputValue()).toBe('President');
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('are bound to no account of a provider any more when an administrator says so', async () => {
    const { page } = await open();
    await openPerson(page, 'bob@example.test');
    const end = async (): Promise<void> => {
      await page.getByRole('button', { name: 'End binding' }).click();
      await page.getByRole('button', { name: 'End binding to single sign-on, and all sessions' }).click();
    };
    await end();
    await page.getByText('This person has not signed in with single sign-on yet').waitFor();
    const path = '**/api/people/bob%40example.test/identity';
    const asked: string[] = [];
    await page.route(path, async (route) => {
      asked.push(route.request().method());
      await route.fulfill({ status: 204 });
    });
    await end();
    await page.getByText('The next account at the sign-in provider').waitFor();
    expect(asked).toEqual(['DELETE']);
    await hasNoBarriers(page);
    await page.context().close();
  });

  it('have no page for a username that nobody has, and its heading says so', async () => {
    const { page, problems } = await open();
    await page.goto('/console/accounts/nobody%40example.test');
    await page.getByRole('heading', { name: 'There is no person with this username.', level: 1 }).waitFor();
    await hasNoBarriers(page);
    await page.getByRole('link', { name: 'All accounts' }).click();
    await page.getByRole('rowheader', { name: 'carol@example.test' }).waitFor();
    expect(problems).toEqual([]);
    await page.context().close();
  });

  it('are blocked, get a new password, and are removed; the own one is not', async () => {
    const { page, problems } = await open();
    const other = await ui.open();
    await signIn(other.page, ui.system, 'bob');
    await openPerson(page, 'bob@example.test');
    await page.getByLabel('Name', { exact: true }).fill('Not saved yet');
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByText('blocked, with a password').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Not saved yet');
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('active, with a password').waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Reset and end all sessions' }).click();
    await page.getByText('shown only once').waitFor();
    const password = await page.getByRole('status').locator('code').innerText();
    await hasNoBarriers(page);
    await other.page.getByLabel('Username').fill('bob');
    await other.page.getByLabel('Password').fill(password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove bob@example.test' }).click();
    await page.getByRole('rowheader', { name: 'carol@example.test' }).waitFor();
    await soon(async () => expect(await page.getByRole('rowheader', { name: 'bob@example.test' }).count()).toBe(0));
    await openPerson(page, 'carol@example.test');
    await page.getByText('This is you').waitFor();
    expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    expect([...problems, ...other.problems]).toEqual([]);
    await page.context().close();
    await other.page.context().close();
  });
});
