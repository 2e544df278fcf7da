import { at, json, answerMediaType, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

describe('presence (interface A)', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  let own: Session;
  let other: Session;
  let contact: unknown;

  beforeAll(async () => {
    own = await createSession(client, user, unique('presence-'));
    other = await createSession(client, otherUser, unique('presence-'));
    const found = await client.call('searchPeople', {
      url: `${other.search}?query=${user.username}`,
      token: other.token,
    });
    contact = at(json(found), '_embedded', 'contact', 0);
  });
  afterAll(async () => {
    for (const { self: url, token } of [own, other])
      await client.call('deleteApplication', { method: 'DELETE', url, token });
    await client.close();
  });

  async function post(operationId: string, url: string, body?: unknown, headers = {}): Promise<Answer> {
    return client.call(operationId, {
      method: 'POST',
      url,
      token: own.token,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async function me(): Promise<unknown> {
    return at(json(await client.call('readApplication', { url: own.self, token: own.token })), '_embedded', 'me');
  }

  async function link(rel: string): Promise<string> {
    return textAt(await me(), '_links', rel, 'href');
  }

  async function read(operationId: string, url: string, session = own): Promise<unknown> {
    const answer = await client.call(operationId, { url, token: session.token });
    expect(answer.status).toBe(200);
    return json(answer);
  }

  /** All events that a session receives until these have arrived, unchanged. */
  async function pollUntilReported(session: Session, rels: readonly string[]): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const isReported = (rel: string): boolean => answers.some(({ body }) => body.includes(`"link":{"rel":"${rel}"`));
    let url = `${textAt(session.application, '_links', 'events', 'href')}&medium=5`;
    while (!rels.every(isReported)) {
      const answer = await client.call('pollEvents', { url, token: session.token });
      expect(answer.status).toBe(200);
      answers.push(answer);
      url = textAt(json(answer), '_links', 'next', 'href');
    }
    return answers;
  }

  it('begins when a user becomes available, once; then the links change', async () => {
    const url = await link('makeMeAvailable');
    const early = await post('reportMyActivityShort', `${own.self}/reportMyActivity`);
    expect([early.status, at(json(early), 'subcode')]).toEqual([409, 'MakeMeAvailableRequired']);
    const wrong = await post('makeMeAvailable', url, { supportedModalities: ['PanoramicVideo'] });
    expect([wrong.status, at(json(wrong), 'code')]).toEqual([403, 'Forbidden']);
    expect((await post('makeMeAvailable', url, { signInAs: 'Sleeping' })).status).toBe(400);
    const done = await post('makeMeAvailable', url, { SupportedModalities: ['Messaging'], signInAs: 'Busy' });
    expect([done.status, done.body]).toEqual([204, '']);
    const links = Object.keys(Object(at(await me(), '_links')));
    expect(links).toEqual(expect.arrayContaining(['presence', 'note', 'location', 'reportMyActivity']));
    expect(links).not.toContain('makeMeAvailable');
    const again = await post('makeMeAvailable', url);
    expect([again.status, at(json(again), 'subcode')]).toEqual([409, 'AlreadyExists']);
  });

  it.each([
    ['presence', 'setPresence', 'readPresence', { availability: 'DoNotDisturb' }, 'readContactPresence'],
    ['note', 'setNote', 'readNote', { message: 'Grüße <&>' }, 'readContactNote'],
    ['location', 'setLocation', 'readLocation', { location: 'Room 7' }, 'readContactLocation'],
  ] as const)('shows the %s to everyone until it is reset', async (rel, set, get, value, ofContact) => {
    const url = await link(rel);
    const contactRel = `contact${rel.charAt(0).toUpperCase()}${rel.slice(1)}`;
    const path = textAt(contact, '_links', contactRel, 'href');
    expect((await post(set, url, value)).status).toBe(204);
    expect(await read(get, url)).toMatchObject(value);
    expect(await read(ofContact, path, other)).toMatchObject({ ...value, rel: contactRel });
    const accept = `${names.mediaType}+xml`;
    const xml = await client.call(ofContact, { url: path, token: other.token, headers: { accept } });
    expect(answerMediaType(xml)).toBe(accept);
    const root = readXml(xml.body);
    expect(root).toMatchObject({ attributes: { rel: contactRel, href: path, xmlns: names.xmlNamespace } });
    expect(children(root, 'property').map(({ text }) => text)).toContain(Object.values(value)[0]);
    expect((await post(set, url)).status).toBe(204);
    expect(await read(get, url)).not.toMatchObject(value);
  });

  it('accepts input in XML and in the query', async () => {
    const note = await link('note');
    const xml = `<input xmlns="${names.xmlNamespace}"><property name="message">a &amp; b</property></input>`;
    expect((await post('setNote', note, xml, { 'content-type': `${names.mediaType}+xml` })).status).toBe(204);
    expect(await read('readNote', note)).toMatchObject({ message: 'a & b', type: 'Personal' });
    expect((await post('setNote', `${note}?Message=by%20query`)).status).toBe(204);
    expect(await read('readNote', note)).toMatchObject({ message: 'by query' });
  });

  it('shows how, and since when, a person can be reached', async () => {
    expect((await post('reportMyActivity', await link('reportMyActivity'))).status).toBe(204);
    const modalities = textAt(contact, '_links', 'contactSupportedModalities', 'href');
    expect(at(await read('readContactModalities', modalities, other), 'modalities')).toContain('Messaging');
    const presence = await read('readContactPresence', textAt(contact, '_links', 'contactPresence', 'href'), other);
    expect(textAt(presence, 'lastActive')).toMatch(/^\/Date\(\d+\)\/$/);
    expect(['PC', 'Mobile', 'Web', 'DeskPhone', 'Unknown']).toContain(at(presence, 'deviceType'));
  });

  it('is reported to the session itself', async () => {
    const answers = await pollUntilReported(own, ['me', 'presence', 'note', 'location']);
    for (const answer of answers) expect(at(json(answer), 'sender', 0, 'rel')).toBe('me');
  });

  it('of others is reported to sessions that are subscribed to it', async () => {
    const people = at(other.application, '_embedded', 'people', '_links');
    const call = (
      operationId: string,
      method: 'GET' | 'POST' | 'DELETE',
      url: string,
      body?: string,
    ): Promise<Answer> =>
      client.call(operationId, {
        method,
        url,
        token: other.token,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      });
    const all = textAt(people, 'presenceSubscriptions', 'href');
    const uris = [textAt(contact, 'uri')];
    const made = await call('subscribeToPresence', 'POST', all, JSON.stringify({ duration: 11, uris }));
    expect(made.status).toBe(201);
    const self = textAt(json(made), '_links', 'self', 'href');
    expect(json(await call('listPresenceSubscriptions', 'GET', all))).toMatchObject({
      _embedded: { presenceSubscription: [json(made)] },
    });
    const subscribedContacts = await call(
      'readSubscribedContacts',
      'GET',
      textAt(people, 'subscribedContacts', 'href'),
    );
    expect(at(json(subscribedContacts), '_links', 'contact', 0, 'href')).toBe(
      textAt(contact, '_links', 'self', 'href'),
    );
    const memberships = textAt(json(made), '_links', 'memberships', 'href');
    expect((await call('listSubscriptionMemberships', 'GET', memberships)).status).toBe(200);
    expect((await post('setLocation', await link('location'), { location: 'Roof' })).status).toBe(204);
    await pollUntilReported(other, ['presenceSubscription', 'contactPresence', 'contactLocation']);
    expect((await call('extendPresenceSubscription', 'POST', `${self}?duration=12`)).status).toBe(200);
    expect((await call('endPresenceSubscription', 'DELETE', self)).status).toBe(204);
    expect((await call('readPresenceSubscription', 'GET', self)).status).toBe(404);
    const wrong = await call('subscribeToPresence', 'POST', all, '{"duration":5,"uris":["sip:a@example.test"]}');
    expect([wrong.status, at(json(wrong), 'subcode')]).toEqual([400, 'ParameterValidationFailure']);
    expect((await call('subscribeToPresence', 'POST', `${all}?groupId=none`)).status).toBe(404);
  });

  it.each([
    ['a long note', 'setNote', 'note', { message: 'x'.repeat(501) }],
    ['a long location', 'setLocation', 'location', { location: 'x'.repeat(61) }],
    ['an unknown availability', 'setPresence', 'presence', { availability: 'IdleOnline' }],
    ['a note that is a number', 'setNote', 'note', { message: 5 }],
    ['broken JSON', 'setNote', 'note', '{"message":'],
  ])('rejects %s', async (_what, operationId, rel, body) => {
    const answer = await post(operationId, await link(rel), body);
    expect([answer.status, at(json(answer), 'code')]).toEqual([400, 'BadRequest']);
  });

  it('of an unknown person is not found, and that of others cannot be changed', async () => {
    const nobody = textAt(contact, '_links', 'contactNote', 'href').replace(
      /people\/[^/]+/,
      'people/nobody@example.test',
    );
    expect((await client.call('readContactNote', { url: nobody, token: other.token })).status).toBe(404);
    const rejected = await client.call('setNote', { method: 'POST', url: await link('note'), token: other.token });
    expect(rejected.status).toBe(404);
  });
});
