import { at, hrefsIn, json, answerMediaType, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('applications (interface A, row 5)', () => {
  const client = new WebClient();
  const { names, user } = client.system;
  const endpointId = unique('phone-');
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, user, endpointId);
  });
  afterAll(() => client.close());

  const create = (body: string, contentType: string): Promise<Answer> =>
    client.call('createApplication', {
      method: 'POST',
      url: session.applications,
      token: session.token,
      headers: { 'content-type': contentType },
      body,
    });

  it('contains the signed-in user: name, SIP address, mail', () => {
    const me = at(session.application, '_embedded', 'me');
    expect(textAt(me, 'name')).not.toBe('');
    expect(textAt(me, 'uri')).toBe(`sip:${user.username}`);
    expect(at(me, 'emailAddresses')).toEqual([user.username]);
  });

  it('shows what the client reported about itself', () => {
    expect(session.application).toMatchObject({ culture: 'en-US', endpointId, userAgent: 'conformance/1.0' });
  });

  it('has only links without a host name', () => {
    const hrefs = hrefsIn(session.application);
    expect(hrefs.length).toBeGreaterThanOrEqual(5);
    for (const href of hrefs) expect(href).toMatch(/^\/(?!\/)/);
  });

  it('has no broken link', async () => {
    const { token, application, self, search, contacts } = session;
    expect(json(await client.call('readApplication', { url: self, token }))).toEqual(application);
    const me = at(application, '_embedded', 'me');
    expect(json(await client.call('readMe', { url: textAt(me, '_links', 'self', 'href'), token }))).toEqual(me);
    const people = at(application, '_embedded', 'people');
    const url = textAt(people, '_links', 'self', 'href');
    expect(json(await client.call('readPeople', { url, token }))).toEqual(people);
    expect((await client.call('searchPeople', { url: `${search}?query=a`, token })).status).toBe(200);
    expect((await client.call('readContacts', { url: contacts, token })).status).toBe(200);
  });

  it.each([`${names.mediaType}+xml`, 'application/xml', 'text/xml'])(
    'is returned in XML for Accept: %s, with the same links',
    async (accept) => {
      const answer = await client.call('readApplication', {
        url: session.self,
        token: session.token,
        headers: { accept },
      });
      expect(answerMediaType(answer)).toBe(accept);
      const root = readXml(answer.body);
      expect(root).toMatchObject({ name: 'resource', attributes: { rel: 'application', xmlns: names.xmlNamespace } });
      const [me, people] = children(root, 'resource');
      expect([me?.attributes['rel'], people?.attributes['rel']]).toEqual(['me', 'people']);
      const hrefs = people === undefined ? [] : children(people, 'link').map(({ attributes }) => attributes['href']);
      expect(hrefs).toEqual(expect.arrayContaining([session.search, session.contacts]));
    },
  );

  it('is the same one when the same endpoint creates it again, with names in another case', async () => {
    const body = JSON.stringify({ Culture: 'de-DE', ENDPOINTID: endpointId, userAgent: 'other/2.0' });
    const answer = await create(body, 'application/json; charset=utf-8');
    expect(answer.status).toBe(201);
    expect(at(json(answer), 'id')).toBe(at(session.application, 'id'));
    expect(json(answer)).toMatchObject({ culture: 'de-DE', userAgent: 'other/2.0' });
  });

  it('is another one for another endpoint, and can be requested in XML', async () => {
    const properties = { culture: 'en-US', endpointId: unique('tablet-'), userAgent: 'a &amp; b' };
    const xml = Object.entries(properties).map(([name, value]) => `<property name="${name}">${value}</property>`);
    const answer = await create(`<input xmlns="${names.xmlNamespace}">${xml.join('')}</input>`, 'application/xml');
    expect(answer.status).toBe(201);
    expect(at(json(answer), 'id')).not.toBe(at(session.application, 'id'));
    expect(json(answer)).toMatchObject({ userAgent: 'a & b' });
  });

  it('stays when the user signs in again', async () => {
    const again = await createSession(client, user, endpointId);
    expect(again.token).not.toBe(session.token);
    expect(again.self).toBe(session.self);
  });

  it('is gone after it was deleted, and can be created again', async () => {
    const { self, search, token } = await createSession(client, user, unique('brief-'));
    const deleted = await client.call('deleteApplication', { method: 'DELETE', url: self, token });
    expect([deleted.status, deleted.body]).toEqual([204, '']);
    const gone = { status: 404, code: 'NotFound', subcode: 'ApplicationNotFound' };
    for (const [operation, method, url] of [
      ['readApplication', 'GET', self],
      ['searchPeople', 'GET', `${search}?query=a`],
      ['deleteApplication', 'DELETE', self],
    ] as const) {
      const answer = await client.call(operation, { method, url, token });
      expect({ status: answer.status, ...Object(json(answer)) }).toMatchObject(gone);
    }
    expect(
      (await create(JSON.stringify({ culture: 'en', endpointId, userAgent: 'x' }), 'application/json')).status,
    ).toBe(201);
  });
});
