import { at, header, hrefsIn, json, listAt, textAt } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('people search and contacts (interface A, rows 6 and 7)', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, user, unique('people-'));
  });
  afterAll(() => client.close());

  const find = async (parameters: string): Promise<unknown> => {
    const url = `${session.search}?${parameters}`;
    const answer = await client.call('searchPeople', { url, token: session.token });
    expect([answer.status, answer.body]).toEqual([200, expect.any(String)]);
    return json(answer);
  };
  const urisIn = (result: unknown): readonly string[] =>
    at(result, '_embedded') === undefined
      ? []
      : listAt(result, '_embedded', 'contact').map((contact) => textAt(contact, 'uri'));

  it('6. responds to a mobile client exactly as the specification shows', async () => {
    const mediaType = `${names.mediaType}+xml`;
    const namespace = `${names.headerPrefix}Namespace`;
    const query = unique('nobody-');
    const answer = await client.call('searchPeople', {
      url: `${session.search}?query=${query}&limit=20`,
      headers: {
        accept: mediaType,
        'content-type': mediaType,
        [namespace]: 'internal',
        [`${names.headerPrefix}WebTicket`]: session.token,
      },
    });
    expect(answer.status).toBe(200);
    expect(header(answer, 'content-type')).toBe(`${mediaType}; charset=utf-8`);
    expect(header(answer, namespace)).toBe('internal');
    expect(answer.body).toContain(`search?query=${query}&amp;limit=20"`);
    const root = readXml(answer.body);
    expect(root).toMatchObject({ name: 'resource', attributes: { rel: 'search', xmlns: names.xmlNamespace } });
    expect(root.children.map(({ name, attributes, text }) => [name, attributes['name'], text])).toEqual([
      ['property', 'moreResultsAvailable', 'False'],
    ]);
  });

  it('6. shows the people found as resources in addition to the property', async () => {
    const headers = { accept: 'application/xml' };
    const url = `${session.search}?query=${otherUser.username}`;
    const answer = await client.call('searchPeople', { url, token: session.token, headers });
    const found = children(readXml(answer.body), 'resource');
    expect(found.map(({ attributes }) => attributes['rel'])).toContain('contact');
    const properties = found.flatMap((contact) => children(contact, 'property'));
    expect(properties.map(({ text }) => text)).toContain(`sip:${otherUser.username}`);
  });

  it('6. responds with JSON to all other clients, without a list when no one is found', async () => {
    const result = await find(`query=${unique('nobody-')}`);
    expect(result).toMatchObject({ rel: 'search', moreResultsAvailable: false });
    expect(at(result, '_embedded')).toBeUndefined();
  });

  it.each([
    ['address', ({ username }: { username: string }) => username],
    ['address in capitals', ({ username }: { username: string }) => username.toUpperCase()],
    ['SIP address', ({ username }: { username: string }) => `sip:${username}`],
    ['the beginning of the address', ({ username }: { username: string }) => username.slice(0, 2)],
  ])('6. finds a person by %s', async (_what, query) => {
    const result = await find(`query=${encodeURIComponent(query(otherUser))}`);
    expect(urisIn(result)).toContain(`sip:${otherUser.username}`);
    for (const href of hrefsIn(result)) expect(href).toMatch(/^\/(?!\/)/);
  });

  it('6. finds a person by name, with the words encoded in any way', async () => {
    const contact = await client.call('readContacts', { url: session.contacts, token: session.token });
    const { name, uri } = Object(listAt(json(contact), '_embedded', 'contact')[0]);
    for (const query of [encodeURIComponent(name), String(name).replaceAll(' ', '+')]) {
      expect(urisIn(await find(`limit=50&query=${query}`))).toContain(uri);
    }
  });

  it('6. returns no more than the limit, and reports that there are more', async () => {
    const domain = user.username.split('@')[1] ?? '';
    const result = await find(`query=${domain}&limit=1`);
    expect(urisIn(result)).toHaveLength(1);
    expect(at(result, 'moreResultsAvailable')).toBe(true);
    expect(textAt(result, '_links', 'self', 'href')).toMatch(/[?&]limit=1$/);
  });

  it('7. lists the contacts, each with a link to itself', async () => {
    const { contacts, token } = session;
    const answer = await client.call('readContacts', { url: contacts, token });
    expect(answer.status).toBe(200);
    const list = listAt(json(answer), '_embedded', 'contact');
    expect(list.map((contact) => at(contact, 'uri'))).toContain(`sip:${otherUser.username}`);
    for (const href of hrefsIn(json(answer))) expect(href).toMatch(/^\/(?!\/)/);
    for (const contact of list) {
      const url = textAt(contact, '_links', 'self', 'href');
      expect(json(await client.call('readContact', { url, token }))).toEqual(contact);
    }
  });

  it('7. links from a contact to the photo, if there is one', async () => {
    const { contacts, token } = session;
    const answer = await client.call('readContacts', { url: contacts, token });
    for (const contact of listAt(json(answer), '_embedded', 'contact')) {
      const url = textAt(contact, '_links', 'contactPhoto', 'href');
      const headers = { accept: 'image/*' };
      expect([200, 404]).toContain((await client.call('readPhoto', { url, token, headers })).status);
    }
  });

  it('7. shows photos to pages that have a cookie and no token', async () => {
    const { self, token, application } = session;
    const created = await client.call('readApplication', { url: self, token });
    const cookie = (header(created, 'set-cookie') ?? '').replace(/;.*/s, '');
    expect(cookie).toMatch(new RegExp(`^${names.photoCookie}=`));
    const url = textAt(application, '_embedded', 'me', '_links', 'photo', 'href');
    expect([200, 404]).toContain((await client.call('readPhoto', { url, headers: { cookie } })).status);
    expect((await client.call('readPhoto', { url })).status).toBe(401);
    expect((await client.call('readApplication', { url: self, headers: { cookie } })).status).toBe(401);
  });

  it('7. lists the contacts in XML too', async () => {
    const headers = { accept: `${names.mediaType}+xml` };
    const { contacts: url, token } = session;
    const answer = await client.call('readContacts', { url, token, headers });
    expect(children(readXml(answer.body), 'resource').length).toBeGreaterThan(0);
  });
});
