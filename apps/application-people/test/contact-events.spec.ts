import { aliceWithContacts, type AliceWithContacts, type ContactBook } from './contact-book.js';
import { resourceHref, type AnyResource, type WebClient } from './web-client.js';

let world: AliceWithContacts['world'];
let alice: WebClient;
let book: ContactBook;
let there: ContactBook;

beforeAll(async () => {
  ({ world, alice, book, there } = await aliceWithContacts());
});
afterAll(() => world.stop());

interface Events {
  readonly _links: { readonly next: { readonly href: string } };
  readonly sender: readonly {
    readonly rel: string;
    readonly href: string;
    readonly events: readonly {
      readonly type: string;
      readonly link: { readonly rel: string; readonly href: string };
      readonly in: { readonly rel: string; readonly href: string };
      readonly _embedded?: Readonly<Record<string, AnyResource>>;
    }[];
  }[];
}

async function eventsAt(client: WebClient, href: string): Promise<Events> {
  return (await (await client.get(href)).json()) as Events;
}

describe('the sessions of a user', () => {
  it('receive every change, wherever it was made', async () => {
    const one = await alice.create('hears');
    const tab = await alice.create('hears', { instanceId: 'tab' });
    const self = resourceHref(one);
    const group = await book.makeGroup('Heard');
    await there.add('sip:cid@example.test', group.id);
    await alice.send('DELETE', resourceHref(group));
    await there.client.post(`${book.memberships}/removeContactFromAllGroups`, { contactUri: 'sip:cid@example.test' });

    const groupHref = `${self}/people/groups/${group.id}`;
    const cid = `${self}/people/cid@example.test`;
    const contacts = `${self}/people/contacts`;
    for (const [client, resource] of [
      [alice, one],
      [there.client, tab],
    ] as const) {
      const { sender } = await eventsAt(client, resourceHref(resource, 'events'));
      expect(sender).toHaveLength(1);
      expect(sender[0]).toMatchObject({ rel: 'people', href: `${self}/people` });
      const events = sender[0]?.events ?? [];
      const shown = events.map(({ type, link, in: place }) => [type, link.href, place.rel, place.href]);
      expect(shown).toEqual([
        ['added', groupHref, 'myGroups', `${self}/people/groups`],
        ['added', cid, 'myContacts', contacts],
        ['added', cid, 'groupContacts', `${contacts}?groupId=${group.id}`],
        ['added', cid, 'groupContacts', `${contacts}?groupId=default`],
        ['deleted', groupHref, 'myGroups', `${self}/people/groups`],
        ['deleted', cid, 'groupContacts', `${contacts}?groupId=default`],
        ['deleted', cid, 'myContacts', contacts],
      ]);
      expect(events[1]).toMatchObject({ _embedded: { contact: await alice.read(cid) } });
      for (const { link, type, _embedded: embedded } of events) {
        expect(Object.keys(embedded ?? {})).toEqual(type === 'deleted' ? [] : [link.rel]);
      }
    }
  });
});

describe('a session that waits for events', () => {
  it('receives the new name of a group at once', async () => {
    const application = await alice.create('waits');
    const group = await book.makeGroup('Old');
    const { _links: links } = await eventsAt(alice, resourceHref(application, 'events'));
    const waiting = eventsAt(there.client, links.next.href);
    await book.rename(group, 'New');
    expect((await waiting).sender[0]?.events).toMatchObject([
      { type: 'updated', link: { rel: 'group', title: 'New' }, _embedded: { group: { name: 'New', id: group.id } } },
    ]);
    await alice.send('DELETE', resourceHref(group));
  });
});
