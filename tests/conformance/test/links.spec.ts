import { json, textAt } from '../src/answer.js';
import { walkLinks } from '../src/link-walk.js';
import { createApplication, createSession, guestTokenRequest, requestToken, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('the links of an application', () => {
  const client = new WebClient();
  let session: Session;

  beforeAll(async () => {
    session = await createSession(client, client.system.user, unique('links-'));
  });
  afterAll(async () => {
    await client.call('deleteApplication', { method: 'DELETE', url: session.self, token: session.token });
    await client.close();
  });

  const linkOf = (part: string, rel: string): string =>
    textAt(session.application, '_embedded', part, '_links', rel, 'href');

  it('all work, in JSON and XML, before the user is available and after', async () => {
    const { self, token } = session;
    const before = await walkLinks(client, token, self);
    expect(before.dead).toEqual([]);
    expect([...before.rels]).toEqual(
      expect.arrayContaining(['makeMeAvailable', 'policies', 'batch', 'events', 'search']),
    );
    const url = linkOf('me', 'makeMeAvailable');
    expect((await client.call('makeMeAvailable', { method: 'POST', url, token })).status).toBe(204);
    const after = await walkLinks(client, token, self);
    expect(after.dead).toEqual([]);
    expect([...after.rels]).not.toContain('makeMeAvailable');
    expect([...after.rels]).toEqual(expect.arrayContaining(['presence', 'groupContacts', 'contactPhoto', 'contact']));
  });

  it('all work for guests, too', async () => {
    const { token, applications } = session;
    const url = linkOf('onlineMeetings', 'myOnlineMeetings');
    const meeting = json(await client.call('createMyOnlineMeeting', { method: 'POST', url, token }));
    const guest = await requestToken(client, guestTokenRequest(client.system, meeting));
    const application = await createApplication(client, applications, guest, unique('guest-'));
    const walked = await walkLinks(client, guest, textAt(application, '_links', 'self', 'href'));
    expect(walked.dead).toEqual([]);
    expect([...walked.rels]).toEqual(expect.arrayContaining(['policies', 'batch', 'events']));
    const self = textAt(meeting, '_links', 'self', 'href');
    await client.call('deleteMyOnlineMeeting', { method: 'DELETE', url: self, token });
  });
});
