import { ContactBook, type Listed } from '../contact-book.js';
import { Inbox, type SeenEvent } from '../inbox.js';
import { TwoReplicas } from '../two-replicas.js';
import { resourceHref, embeddedMe, type AnyResource, type WebClient } from '../web-client.js';

/** As many as a contact list may have. */
const CONTACTS = 250;
/** As many as a session may be subscribed to. */
const PEOPLE = 1_000;
/** With addresses of a usual length. */
const COLLEAGUES = Array.from({ length: PEOPLE }, (_, n) => `colleague.with.a.long.name.${n}`);

let world: TwoReplicas;
let alice: WebClient;

beforeAll(async () => {
  world = await TwoReplicas.start([
    { user: 'alice', name: 'Alice', contacts: COLLEAGUES.slice(0, CONTACTS) },
    ...COLLEAGUES.map((user) => ({ user, name: user })),
  ]);
  alice = await world.user('alice');
});
afterAll(() => world.stop());

function hrefs(events: readonly SeenEvent[], type: string, rel: string, place: string): readonly string[] {
  const found = events.filter((event) => event.type === type && event.link.rel === rel && event.in?.rel === place);
  return found.map(({ link }) => link.href);
}

function embeddedIn({ _embedded: embedded }: AnyResource, rel: string): AnyResource | undefined {
  return embedded?.[rel];
}

async function subscribe(people: string, body: unknown, query = ''): Promise<AnyResource> {
  const answer = await alice.post(`${people}/presenceSubscriptions${query}`, body);
  expect(answer.status).toBe(201);
  return Object(await answer.json());
}

/** In some requests at a time. */
async function postAll(href: string, bodies: readonly object[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let from = 0; from < bodies.length; from += 10) {
    const answers = await Promise.all(bodies.slice(from, from + 10).map((body) => alice.post(href, body)));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

describe('a large contact list', () => {
  it('is reported with all its changes to a client that did not poll', async () => {
    const application = await alice.create('does not poll');
    const people = resourceHref(embeddedIn(application, 'people'));
    const book = new ContactBook(alice, resourceHref(application));
    const contacts = COLLEAGUES.slice(0, CONTACTS).map((user) => ({ contactUri: `sip:${user}@example.test` }));
    const groups: Listed[] = [];
    for (const name of ['Team', 'Project', 'Friends']) {
      const group = await book.makeGroup(name);
      groups.push(group);
      const members = contacts.map((contact) => ({ ...contact, groupId: group.id }));
      expect(new Set(await postAll(book.memberships, members))).toEqual(new Set([201]));
    }
    for (const group of groups) expect((await alice.send('DELETE', resourceHref(group))).status).toBe(204);
    const inbox = new Inbox(alice.at(world.other), application);
    const isLast = ({ link }: SeenEvent): boolean => link.href === resourceHref(groups.at(-1));
    await inbox.until('group', 'deleted', isLast);
    expect(inbox.packages).toBeGreaterThan(1);
    const all = COLLEAGUES.slice(0, CONTACTS).map((user) => `${people}/${user}@example.test`);
    for (const { id } of groups) {
      const added = inbox.events.filter(({ type, in: place }) => type === 'added' && place?.href.endsWith(`=${id}`));
      expect(added.map(({ link }) => link.href).toSorted()).toEqual(all.toSorted());
    }
  });
});

describe('a subscription to many people', () => {
  it.each([
    ['that do not wait for a poll', false],
    ['for which a poll waits', true],
  ])('to all contacts is reported with all its people, in events %s', async (_what, isPollWaiting) => {
    const application = await alice.create(`contacts-${isPollWaiting}`);
    const people = resourceHref(embeddedIn(application, 'people'));
    const inbox = new Inbox(alice.at(world.other), application);
    const polled = isPollWaiting ? inbox.poll() : undefined;
    const made = await subscribe(people, undefined, '?groupId=default&duration=11');
    await polled;
    await inbox.until('contactPresence', 'updated');
    const contacts = COLLEAGUES.slice(0, CONTACTS).map((user) => `${people}/${user}@example.test`);
    expect(hrefs(inbox.events, 'added', 'contact', 'subscribedContacts')).toEqual(contacts);
    expect(await inbox.until('presenceSubscription', 'added')).toMatchObject({ link: { href: resourceHref(made) } });
    expect(hrefs(inbox.events, 'updated', 'contactPresence', 'contact')).toEqual(
      contacts.map((contact) => `${contact}/presence`),
    );
  });

  it('to as many as a session may have is reported when it begins and when it ends, after what was there before', async () => {
    const application = await alice.create('everybody');
    const people = resourceHref(embeddedIn(application, 'people'));
    const me = resourceHref(embeddedMe(application));
    expect((await alice.post(`${me}/makeMeAvailable`)).status).toBe(204);
    const uris = COLLEAGUES.map((user) => `sip:${user}@example.test`);
    const made = await subscribe(people, { duration: 11, uris });
    const inbox = new Inbox(alice.at(world.other), application);
    await inbox.until('contactPresence', 'updated');
    const contacts = COLLEAGUES.map((user) => `${people}/${user}@example.test`);
    expect(inbox.events[0]).toMatchObject({ type: 'updated', link: { rel: 'me' } });
    expect(hrefs(inbox.events, 'added', 'contact', 'subscribedContacts')).toEqual(contacts);
    expect(hrefs(inbox.events, 'updated', 'contactPresence', 'contact')).toHaveLength(PEOPLE);
    expect((await alice.send('DELETE', resourceHref(made))).status).toBe(204);
    await inbox.until('presenceSubscription', 'deleted');
    expect(hrefs(inbox.events, 'deleted', 'contact', 'subscribedContacts')).toEqual(contacts);
  });
});
