import { aliceWithContacts, refusal, type AliceWithContacts, type ContactBook } from './contact-book.js';
import { resourceHref, type WebClient } from './web-client.js';

const PUT_TOKEN = 'please pass this in a PUT request';

let world: AliceWithContacts['world'];
let alice: WebClient;
let A: string;
let book: ContactBook;
let there: ContactBook;

beforeAll(async () => {
  ({ world, alice, book, there } = await aliceWithContacts());
  A = book.application;
});
afterAll(() => world.stop());

describe('the groups of a user', () => {
  it('begin with the two that everyone has', async () => {
    const fixed = (id: string, name: string): unknown => ({
      id,
      name,
      _links: {
        self: { href: `${A}/people/groups/${id}`, revision: '2' },
        groupContacts: { href: `${A}/people/contacts?groupId=${id}` },
        subscribeToGroupPresence: { href: `${A}/people/presenceSubscriptions?groupId=${id}` },
      },
      rel: `${id}Group`,
      etag: expect.stringMatching(/^\d+$/),
    });
    const groups = await alice.read(book.groups);
    expect(groups).toEqual({
      _links: { self: { href: book.groups, revision: '2' } },
      _embedded: {
        pinnedGroup: fixed('pinned', 'Favorites'),
        defaultGroup: fixed('default', 'Other Contacts'),
        group: [],
      },
      rel: 'myGroups',
    });
    const { _embedded: embedded } = groups;
    expect(Object.keys(embedded ?? {})).toEqual(['pinnedGroup', 'defaultGroup', 'group']);
    const team = await book.makeGroup('Team');
    const { _links: links } = await alice.read(`${book.groups}?expand=false`);
    expect(links).toEqual({
      self: { href: book.groups, revision: '2' },
      pinnedGroup: { href: `${A}/people/groups/pinned`, revision: '2' },
      defaultGroup: { href: `${A}/people/groups/default`, revision: '2' },
      group: [{ href: resourceHref(team), revision: '2' }],
    });
    expect((await there.client.send('DELETE', resourceHref(team))).status).toBe(204);
    expect((await alice.get(resourceHref(team))).status).toBe(404);
  });

  it('are renamed by a client that has read their current state', async () => {
    const before = await book.makeGroup('Before');
    const href = resourceHref(before);
    const body = { ...before, name: 'After' };
    const match = { 'if-match': `"${before.etag}"` };
    expect(await refusal(await alice.send('PUT', href, body))).toEqual([428, 'PreconditionRequired', undefined]);
    const { id, etag, name } = body;
    expect(await refusal(await alice.send('PUT', href, { id, etag, name }, match))).toEqual([
      400,
      'BadRequest',
      'ParameterValidationFailure',
    ]);
    expect((await alice.send('PUT', href, { ...before, name: '' }, match)).status).toBe(400);
    const both = await Promise.all([
      alice.send('PUT', href, body, match),
      there.client.send('PUT', href, { ...before, name: 'Other' }, match),
    ]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 412]));
    const now = await alice.read(href);
    expect(now.etag).not.toBe(before.etag);
    expect(await refusal(await alice.send('PUT', href, body, match))).toEqual([412, 'PreconditionFailed', undefined]);
    expect((await alice.send('DELETE', href)).status).toBe(204);
    expect((await alice.send('PUT', href, body, match)).status).toBe(404);
  });

  it('are renamed in XML, with the property that scripts look for', async () => {
    const href = resourceHref(await book.makeGroup('Gruppe'));
    const response = await alice.get(href, { accept: 'application/xml' });
    const xml = await response.text();
    expect(xml).toMatch(new RegExp(`<property name="[0-9a-f-]{36}">${PUT_TOKEN}</property>`));
    const etag = /name="etag">(\d+)</.exec(xml)?.[1] ?? '';
    const renamed = xml.replace('>Gruppe<', '>Ürün &amp; 組<');
    const put = await alice.send('PUT', href, renamed, { 'content-type': 'application/xml', 'if-match': etag });
    expect(put.status).toBe(204);
    expect(await book.groupNamed('Ürün & 組')).toMatchObject({ rel: 'group' });
    await alice.send('DELETE', href);
  });

  it.each([
    [{}, 400, 'ParameterValidationFailure'],
    [{ displayName: ' ' }, 400, 'ParameterValidationFailure'],
    [{ displayName: null }, 400, 'ParameterValidationFailure'],
    [{ displayName: 'x'.repeat(257) }, 400, 'ParameterValidationFailure'],
    ['<input>', 400, 'DeserializationFailure'],
  ])('are not created from %j', async (body, status, subcode) => {
    expect(await refusal(await alice.post(book.groups, body))).toEqual([status, 'BadRequest', subcode]);
  });

  it('have unique names', async () => {
    const group = await book.makeGroup('Once');
    expect(await refusal(await alice.post(`${A}/people/groups?displayName=ONCE`))).toEqual([
      409,
      'Conflict',
      'AlreadyExists',
    ]);
    await alice.send('DELETE', resourceHref(group));
  });

  it.each(['pinned', 'default'])('that everyone has cannot be changed: %s', async (id) => {
    const href = `${A}/people/groups/${id}`;
    const group = await alice.read(href);
    const put = await alice.send('PUT', href, { ...group, name: 'Mine' }, { 'if-match': group.etag ?? '' });
    expect(await refusal(put)).toEqual([403, 'Forbidden', 'OperationNotSupported']);
    expect((await alice.send('DELETE', href)).status).toBe(403);
  });

  it('move their contacts to the default group when they are deleted', async () => {
    const group = await book.makeGroup('Gone');
    expect(await book.add('cid@example.test', group.id)).toBe(201);
    expect(await there.uris(resourceHref(group, 'groupContacts'))).toEqual(['sip:cid@example.test']);
    await alice.send('DELETE', resourceHref(group));
    expect(await there.uris(`${A}/people/contacts?groupId=default`)).toContain('sip:cid@example.test');
    await alice.send('DELETE', `${book.memberships}/default/cid@example.test`);
  });
});
