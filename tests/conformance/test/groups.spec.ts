import { at, hrefsIn, json, listAt, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient, type WebRequest } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('changes of contacts and groups (interface A, rows 6 and 7)', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  const contactUri = `sip:${otherUser.username}`;
  let session: Session;
  let groups: string;
  let memberships: string;

  beforeAll(async () => {
    session = await createSession(client, user, unique('groups-'));
    const people = at(session.application, '_embedded', 'people', '_links');
    groups = textAt(people, 'myGroups', 'href');
    memberships = textAt(people, 'myGroupMemberships', 'href');
  });
  afterAll(() => client.close());

  const call = (operation: string, url: string, more: Partial<WebRequest> = {}): Promise<Answer> =>
    client.call(operation, { url, token: session.token, ...more });
  const post = (operation: string, url: string, body: object): Promise<Answer> =>
    call(operation, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const makeGroup = async (displayName: string): Promise<unknown> => {
    expect((await post('createGroup', groups, { displayName })).status).toBe(204);
    const listed = listAt(json(await call('readGroups', groups)), '_embedded', 'group');
    return listed.find((group) => at(group, 'name') === displayName);
  };
  const self = (resource: unknown): string => textAt(resource, '_links', 'self', 'href');
  const contactsIn = async (group: unknown): Promise<readonly unknown[]> => {
    const listed = await call('readContacts', textAt(group, '_links', 'groupContacts', 'href'));
    return listAt(json(listed), '_embedded', 'contact').map((contact) => at(contact, 'uri'));
  };

  it('show the groups that everyone has, and links that work', async () => {
    const answer = json(await call('readGroups', groups));
    for (const rel of ['pinnedGroup', 'defaultGroup']) {
      const group = at(answer, '_embedded', rel);
      expect(json(await call('readGroup', self(group)))).toEqual(group);
      expect(await contactsIn(group)).toEqual(expect.any(Array));
    }
    for (const href of hrefsIn(answer)) expect(href).toMatch(/^\/(?!\/)/);
    const links = json(await call('readGroups', `${groups}?expand=false`));
    expect(at(links, '_embedded')).toBeUndefined();
    const xml = await call('readGroups', groups, { headers: { accept: `${names.mediaType}+xml` } });
    const rels = children(readXml(xml.body), 'resource').map(({ attributes }) => attributes['rel']);
    expect(rels.slice(0, 2)).toEqual(['pinnedGroup', 'defaultGroup']);
  });

  it('create a group, fill it, rename it and delete it; its contact stays', async () => {
    const name = unique('Group ');
    const group = await makeGroup(name);
    const made = await post('addContact', memberships, { contactUri, groupId: at(group, 'id') });
    expect(made.status).toBe(201);
    expect(json(await call('readGroupMembership', self(json(made))))).toEqual(json(made));
    expect((await post('addContact', memberships, { contactUri, groupId: at(group, 'id') })).status).toBe(409);
    expect(await contactsIn(group)).toEqual([contactUri]);

    const put = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      call('renameGroup', self(group), {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ ...Object(group), name: `${name} 2` }),
      });
    const etag = `"${textAt(group, 'etag')}"`;
    expect((await put({})).status).toBe(428);
    expect((await put({ 'if-match': '"1"' })).status).toBe(412);
    expect((await put({ 'if-match': etag })).status).toBe(204);
    expect((await put({ 'if-match': etag })).status).toBe(412);
    expect(json(await call('readGroup', self(group)))).toMatchObject({ name: `${name} 2`, id: at(group, 'id') });

    expect((await call('deleteGroup', self(group), { method: 'DELETE' })).status).toBe(204);
    expect((await call('deleteGroup', self(group), { method: 'DELETE' })).status).toBe(404);
    const contacts = json(await call('readContacts', session.contacts));
    expect(listAt(contacts, '_embedded', 'contact').map((contact) => at(contact, 'uri'))).toContain(contactUri);
  });

  it('add a membership in XML and in the query, and remove it', async () => {
    const group = await makeGroup(unique('XML '));
    const property = (key: string, value: string): string => `<property name="${key}">${value}</property>`;
    const input = property('contactUri', contactUri) + property('groupId', textAt(group, 'id'));
    const type = `${names.mediaType}+xml`;
    const xml = await call('addContact', memberships, {
      method: 'POST',
      headers: { accept: type, 'content-type': type },
      body: `<input xmlns="${names.xmlNamespace}">${input}</input>`,
    });
    expect([xml.status, readXml(xml.body).attributes['rel']]).toEqual([201, 'myGroupMembership']);
    const url = readXml(xml.body).attributes['href'] ?? '';
    expect((await call('removeFromGroup', url, { method: 'DELETE' })).status).toBe(204);
    expect((await call('removeFromGroup', url, { method: 'DELETE' })).status).toBe(404);
    const query = new URLSearchParams({ contactUri, groupId: textAt(group, 'id') }).toString();
    expect((await call('addContact', `${memberships}?${query}`, { method: 'POST' })).status).toBe(201);
    expect((await call('deleteGroup', self(group), { method: 'DELETE' })).status).toBe(204);
  });

  it('send events to the session', async () => {
    const events = textAt(session.application, '_links', 'events', 'href');
    const name = unique('Told ');
    const group = await makeGroup(name);
    const polled = json(await call('pollEvents', events));
    const delivered = listAt(polled, 'sender').flatMap((sender) => listAt(sender, 'events'));
    expect(delivered).toContainEqual(
      expect.objectContaining({ type: 'added', _embedded: { group: expect.objectContaining({ name }) } }),
    );
    await call('deleteGroup', self(group), { method: 'DELETE' });
  });

  it.each([
    ['createGroup', {}],
    ['createGroup', { displayName: 'x'.repeat(257) }],
    ['addContact', {}],
    ['addContact', { contactUri: 'x'.repeat(251) }],
    ['removeContact', { contactUri: '' }],
  ])('reject invalid input: %s %.40j', async (operation, body) => {
    const remove = json(await call('readGroupMemberships', memberships));
    const urls = new Map([
      ['createGroup', groups],
      ['addContact', memberships],
      ['removeContact', textAt(remove, '_links', 'removeContactFromAllGroups', 'href')],
    ]);
    expect((await post(operation, urls.get(operation) ?? '', body)).status).toBe(400);
  });

  it('reject unknown people and groups', async () => {
    const body = { contactUri: `sip:${unique('nobody-')}@nowhere.test` };
    expect((await post('addContact', memberships, body)).status).toBe(404);
    expect((await post('addContact', memberships, { contactUri, groupId: 'nothing' })).status).toBe(404);
  });
});
