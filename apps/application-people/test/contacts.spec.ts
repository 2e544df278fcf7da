import { aliceWithContacts, ContactBook, refusal, type AliceWithContacts } from './contact-book.js';
import { resourceHref, type WebClient } from './web-client.js';

let world: AliceWithContacts['world'];
let alice: WebClient;
let A: string;
let book: ContactBook;
let there: ContactBook;

beforeAll(async () => {
  ({ world, alice, book, there } = await aliceWithContacts([
    { user: 'dan', name: 'Dan Dee', contacts: ['bob', 'cid'] },
    ...Array.from({ length: 12 }, (_, n) => ({ user: `clerk.${n}`, name: `Clerk ${n}` })),
  ]));
  A = book.application;
});
afterAll(() => world.stop());

describe('the contacts of a user', () => {
  it('are those of the directory until the user changes them', async () => {
    expect(await book.uris()).toEqual(['sip:bob@example.test']);
    const made = await alice.post(book.memberships, { ContactUri: 'sip:CID@example.test', groupId: 'pinned' });
    expect(made.status).toBe(201);
    const membership: unknown = await made.json();
    expect(membership).toEqual({
      _links: {
        self: { href: `${book.memberships}/pinned/cid@example.test`, revision: '2' },
        contact: { href: `${A}/people/cid@example.test` },
        pinnedGroup: { href: `${A}/people/groups/pinned`, revision: '2' },
      },
      rel: 'myGroupMembership',
    });
    expect(await there.client.read(`${book.memberships}/pinned/cid@example.test`)).toEqual(membership);
    expect(await there.uris()).toEqual(['sip:bob@example.test', 'sip:cid@example.test']);
    expect(await there.uris(`${A}/people/contacts?GroupId=pinned`)).toEqual(['sip:cid@example.test']);
    expect((await there.client.send('DELETE', `${book.memberships}/pinned/CID%40example.test`)).status).toBe(204);
    expect(await book.uris()).toEqual(['sip:bob@example.test']);
  });

  it('are added and removed by parameters in the query as well, and by XML', async () => {
    const uri = 'sip:dan@example.test';
    expect((await alice.post(`${book.memberships}?contactUri=${encodeURIComponent(uri)}&groupId=default`)).status).toBe(
      201,
    );
    const input = `<input xmlns="urn:ringdown:uc:v1"><property name="contactUri">${uri}</property></input>`;
    const xml = { 'content-type': 'application/xml', accept: 'application/xml' };
    expect(await refusal(await alice.post(book.memberships, { contactUri: uri }))).toEqual([
      409,
      'Conflict',
      'AlreadyExists',
    ]);
    const remove = resourceHref(await alice.read(book.memberships), 'removeContactFromAllGroups');
    expect((await alice.post(remove, input, xml)).status).toBe(204);
    expect((await alice.post(remove, input, xml)).status).toBe(204);
    const strange = await alice.post(book.memberships, input.replace('dan', 'nobody'), xml);
    expect([strange.status, await strange.text()]).toEqual([
      404,
      '<?xml version="1.0" encoding="utf-8"?><reason xmlns="urn:ringdown:uc:v1"><code>NotFound</code>' +
        '<message>No person has this address.</message></reason>',
    ]);
    const made = await alice.post(book.memberships, input, xml);
    expect([made.status, await made.text()]).toEqual([
      201,
      `<?xml version="1.0" encoding="utf-8"?><resource rel="myGroupMembership" ` +
        `href="${book.memberships}/default/dan@example.test" revision="2" xmlns="urn:ringdown:uc:v1">` +
        `<link rel="contact" href="${A}/people/dan@example.test"/>` +
        `<link rel="defaultGroup" href="${A}/people/groups/default" revision="2"/></resource>`,
    ]);
    expect((await alice.post(remove, { contactUri: 'dan@example.test' })).status).toBe(204);
  });

  it('are shown as links to clients that do not want the resources', async () => {
    expect(await alice.read(`${A}/people/contacts?expand=False`)).toEqual({
      _links: {
        self: { href: book.contacts },
        contact: [{ href: `${A}/people/bob@example.test`, title: 'Bob Baker' }],
      },
      rel: 'myContacts',
    });
  });

  it('may be empty', async () => {
    const bob = await world.user('bob');
    const self = resourceHref(await bob.create('nobody'));
    expect(await bob.read(`${self}/people/contacts`)).toMatchObject({ _embedded: { contact: [] } });
  });

  it('are not accessible to other users', async () => {
    const dan = await world.user('dan');
    for (const path of ['contacts', 'groups', 'groupMemberships', 'groups/default']) {
      expect(await refusal(await dan.get(`${A}/people/${path}`))).toEqual([404, 'NotFound', 'ApplicationNotFound']);
    }
    expect((await dan.post(book.memberships, { contactUri: 'sip:cid@example.test' })).status).toBe(404);
    expect((await dan.post(book.groups, { displayName: 'Mine' })).status).toBe(404);
  });

  it.each([
    [{}, 400, 'ParameterValidationFailure'],
    [{ contactUri: ' ' }, 400, 'ParameterValidationFailure'],
    [{ contactUri: 7 }, 400, 'ParameterValidationFailure'],
    [{ contactUri: `sip:${'a'.repeat(250)}@example.test` }, 400, 'ParameterValidationFailure'],
    [{ contactUri: 'sip:bob@example.test', groupId: ['pinned'] }, 400, 'ParameterValidationFailure'],
    ['{', 400, 'DeserializationFailure'],
    [{ contactUri: 'sip:nobody@example.test' }, 404, undefined],
    [{ contactUri: '*' }, 404, undefined],
    [{ contactUri: 'sip:cid@example.test', groupId: 'nothing' }, 404, undefined],
    [{ contactUri: 'sip:cid@example.test', groupId: '__proto__' }, 404, undefined],
  ])('are not created from %j', async (body, status, subcode) => {
    expect(await refusal(await alice.post(book.memberships, body))).toEqual([status, expect.any(String), subcode]);
    expect(await book.uris()).toEqual(['sip:bob@example.test']);
  });

  it('are not removed from groups that do not contain them', async () => {
    for (const path of ['pinned/bob@example.test', 'default/nobody@example.test', 'nothing/bob@example.test']) {
      expect((await alice.send('DELETE', `${book.memberships}/${path}`)).status).toBe(404);
      expect((await alice.get(`${book.memberships}/${path}`)).status).toBe(404);
    }
    expect((await alice.get(`${A}/people/contacts?groupId=nothing`)).status).toBe(404);
  });
});

describe('contacts that many clients change at the same time', () => {
  it('keep every change', async () => {
    const dan = await world.user('dan');
    const here = await ContactBook.open(dan, 'many');
    const elsewhere = here.at(world.other);
    const uris = Array.from({ length: 12 }, (_, n) => `sip:clerk.${n}@example.test`);
    const statuses = await Promise.all(uris.map((uri, n) => (n % 2 === 0 ? here : elsewhere).add(uri)));
    expect(statuses).toEqual(uris.map(() => 201));
    expect(new Set(await here.uris())).toEqual(new Set(['sip:bob@example.test', 'sip:cid@example.test', ...uris]));
  });
});

describe('contacts and groups', () => {
  it('are still there after everything was down', async () => {
    const group = await book.makeGroup('Durable');
    await book.add('sip:cid@example.test', group.id);
    await world.restartAll();
    const back = book.at(world.replicas[0].base);
    expect(await back.groupNamed('Durable')).toMatchObject({ id: group.id });
    expect(await back.uris(resourceHref(group, 'groupContacts'))).toEqual(['sip:cid@example.test']);
  });
});
