import type { BrowserContextOptions, Page } from 'playwright-core';
import { fits, hasNoBarriers, signIn, signedInToken } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';

/** Of long polls on a busy machine. */
const LONG_TIMEOUT = { timeout: 60_000 };
/** So short that the token of a guest is renewed during a test. */
const TOKEN_SECONDS = 10;
const PHONE = { viewport: { width: 360, height: 640 } };

describe('the page of a meeting', () => {
  const ui = consoleUnderTest({ GUEST_TOKEN_LIFETIME_SECONDS: String(TOKEN_SECONDS) });
  let alice: Page;
  let meetings: string;
  let headers: Readonly<Record<string, string>>;

  beforeAll(async () => {
    alice = await organizer();
    headers = { authorization: `Bearer ${await signedInToken(alice)}` };
    const data = { culture: 'en', endpointId: 'planner', userAgent: 'Test/1' };
    const made = await alice.request.post('/uc/v1/applications', { headers, data });
    const { _embedded: embedded } = Object(await made.json());
    const { _links: links } = embedded.onlineMeetings;
    meetings = links.myOnlineMeetings.href;
  });

  async function organizer(): Promise<Page> {
    const { page } = await ui.open();
    await signIn(page, ui.system, 'alice', '/console/people');
    await page.getByRole('button', { name: 'Available: how others see you' }).waitFor(LONG_TIMEOUT);
    return page;
  }

  interface Meeting {
    readonly href: string;
    readonly joinUrl: string;
  }

  async function make(data: object = {}): Promise<Meeting> {
    const answer = await alice.request.post(meetings, { headers, data });
    const { joinUrl, _links: links } = Object(await answer.json());
    return { href: links.self.href, joinUrl };
  }

  async function guestPage({ joinUrl }: Meeting, options: BrowserContextOptions = {}): Promise<Page> {
    const { page, problems } = await ui.open(options);
    page.on('close', () => expect(problems).toEqual([]));
    await page.goto(joinUrl);
    return page;
  }

  async function join(page: Page, name = 'Ann Example'): Promise<void> {
    await page.getByLabel('Your name').fill(name);
    await page.getByRole('button', { name: 'Join' }).click();
  }

  async function write(page: Page, to: string, text: string): Promise<void> {
    const field = page.getByLabel(`Message to ${to}`);
    await field.fill(text);
    await field.press('Enter');
  }

  async function accept(text: string): Promise<void> {
    const toast = alice.getByRole('region', { name: 'Invitations' });
    await toast.getByText('Ann Example (guest) wants to chat with you').waitFor(LONG_TIMEOUT);
    await toast.getByText(text).waitFor();
    await toast.getByRole('button', { name: 'Accept' }).click();
  }

  it('lets a guest and the organizer write to each other, also after the token was renewed', async () => {
    const meeting = await make({ subject: 'Tea & cake' });
    expect(meeting.joinUrl).toMatch(/\/meet\/alice@[\w.]+\/[A-Z2-9]{16}$/);
    const ann = await guestPage(meeting);
    await ann.getByRole('heading', { name: 'Join a meeting' }).waitFor();
    await hasNoBarriers(ann);
    await join(ann);
    await ann.getByRole('heading', { name: 'Tea & cake' }).waitFor();
    const renewed = ann.waitForResponse((answer) => answer.url().endsWith('/token') && answer.ok(), LONG_TIMEOUT);
    const firstIsOver = new Promise((resolve) => setTimeout(resolve, TOKEN_SECONDS * 1_000));
    await ann.getByText('Organizer: Alice Archer').waitFor();
    expect(await ann.title()).toBe('Tea & cake');
    await write(ann, 'Alice Archer', 'Is there tea?');
    await accept('Is there tea?');
    await ann.getByText('Connected').waitFor(LONG_TIMEOUT);
    await alice.getByRole('heading', { name: 'Ann Example (guest)', exact: true }).waitFor();
    await write(alice, 'Ann Example (guest)', 'There is.');
    await ann.getByRole('log').getByText('There is.').waitFor(LONG_TIMEOUT);
    await hasNoBarriers(ann);
    await hasNoBarriers(alice);
    await fits(ann);
    expect(await ann.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).toBe('[{},{},""]');

    await Promise.all([renewed, firstIsOver]);
    await write(ann, 'Alice Archer', 'Still warm?');
    await alice.getByRole('log').getByText('Still warm?').waitFor(LONG_TIMEOUT);
    await ann.getByRole('button', { name: 'Leave' }).click();
    await ann.getByRole('button', { name: 'Join' }).waitFor();
    await alice.getByText('The conversation has ended.').waitFor(LONG_TIMEOUT);
    await ann.context().close();
  });

  it('ends the conversation for the organizer when the guest closes the page', async () => {
    const ann = await guestPage(await make());
    await join(ann);
    await ann.getByRole('heading', { name: 'Meeting with Alice Archer' }).waitFor();
    await write(ann, 'Alice Archer', 'Only a moment');
    await accept('Only a moment');
    await alice.getByRole('log').getByText('Only a moment').waitFor(LONG_TIMEOUT);
    await ann.close({ runBeforeUnload: true });
    await alice.getByText('The conversation has ended.').waitFor(LONG_TIMEOUT);
  });

  it('reports that the organizer declines, and asks again with the next message, on a phone', async () => {
    const ann = await guestPage(await make(), PHONE);
    await fits(ann);
    await join(ann);
    await write(ann, 'Alice Archer', 'Now?');
    const toast = alice.getByRole('region', { name: 'Invitations' });
    await toast.getByText('Now?').waitFor(LONG_TIMEOUT);
    await toast.getByRole('button', { name: 'Decline' }).click();
    await ann.getByText('Alice Archer declined').waitFor(LONG_TIMEOUT);
    await write(ann, 'Alice Archer', 'And now?');
    await accept('And now?');
    await ann.getByText('Connected').waitFor(LONG_TIMEOUT);
    await fits(ann);
    await hasNoBarriers(ann);
    await ann.context().close();
  });

  it('shows that the meeting is over, before and during the visit', async () => {
    const meeting = await make();
    const ann = await guestPage(meeting);
    await join(ann);
    await ann.getByRole('heading', { name: 'Meeting with Alice Archer' }).waitFor();
    await alice.request.delete(meeting.href, { headers });
    // The server keeps the answer about a token for less than a second.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await write(ann, 'Alice Archer', 'Hello?');
    await ann.getByText('The meeting has ended, or no longer admits guests.').waitFor(LONG_TIMEOUT);
    await hasNoBarriers(ann);
    await ann.getByRole('button', { name: 'Leave' }).click();
    await join(ann);
    await ann.getByText('The meeting has ended, or does not admit guests.').waitFor(LONG_TIMEOUT);
    await hasNoBarriers(ann);
    await ann.context().close();
    const closed = await guestPage(await make({ accessLevel: 'SameEnterprise' }));
    await join(closed);
    await closed.getByText('The meeting has ended, or does not admit guests.').waitFor(LONG_TIMEOUT);
    await closed.goto('/meet/alice');
    await closed.getByRole('heading', { name: 'This link does not lead to a meeting' }).waitFor();
    await closed.context().close();
  });
});
