import { at, header, json, textAt, type Answer } from '../src/answer.js';
import {
  createApplication,
  createSession,
  findUser,
  FORM,
  guestTokenRequest,
  tokenServiceIn,
  type Session,
} from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

describe('meetings and their guests', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  let session: Session;
  let other: Session;
  let meetings: string;
  let tokenService: string;

  beforeAll(async () => {
    const { challenge } = await findUser(client);
    tokenService = tokenServiceIn(challenge, names.challengeScheme);
    session = await createSession(client, user, unique('meet-'));
    other = await createSession(client, otherUser, unique('meet-'));
    meetings = meetingsOf(session);
  });
  afterAll(() => client.close());

  function meetingsOf({ application }: Session): string {
    return textAt(application, '_embedded', 'onlineMeetings', '_links', 'myOnlineMeetings', 'href');
  }

  function request(operationId: string, method: 'GET' | 'POST' | 'DELETE', url: string, of = session): Promise<Answer> {
    return client.call(operationId, { method, url, token: of.token });
  }

  async function make(): Promise<unknown> {
    const answer = await request('createMyOnlineMeeting', 'POST', meetings);
    expect(answer.status).toBe(201);
    return json(answer);
  }

  function guest(meeting: unknown, more: Record<string, string> = {}): Promise<Answer> {
    const body = guestTokenRequest(client.system, meeting, more);
    const headers = { 'content-type': FORM };
    return client.call('requestToken', { method: 'POST', url: tokenService, headers, body });
  }

  it('are created, found, listed and deleted only by their organizer', async () => {
    const meeting = await make();
    const self = textAt(meeting, '_links', 'self', 'href');
    expect(json(await request('readMyOnlineMeeting', 'GET', self))).toEqual(meeting);
    const list = json(await request('listMyOnlineMeetings', 'GET', meetings));
    expect(at(list, '_embedded', 'myOnlineMeeting')).toContainEqual(meeting);
    expect((await request('readMyOnlineMeeting', 'GET', self, other)).status).toBe(404);
    expect((await request('deleteMyOnlineMeeting', 'DELETE', self, other)).status).toBe(404);
    const none = json(await request('listMyOnlineMeetings', 'GET', meetingsOf(other), other));
    expect(at(none, '_embedded', 'myOnlineMeeting')).not.toContainEqual(meeting);
    expect((await request('deleteMyOnlineMeeting', 'DELETE', self)).status).toBe(204);
    expect((await request('readMyOnlineMeeting', 'GET', self)).status).toBe(404);
  });

  it('admit a guest for an hour, and keep the identity of the guest', async () => {
    const meeting = await make();
    const granted = await guest(meeting);
    expect([granted.status, header(granted, 'cache-control')]).toEqual([200, 'no-store']);
    expect(json(granted)).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 });
    const token = textAt(json(granted), 'access_token');
    const { userUrl } = await findUser(client);
    expect((await client.call('readUser', { url: userUrl, token })).status).toBe(200);
    const created = await createApplication(client, session.applications, token, unique('guest-'));
    expect(Object.keys(Object(at(created, '_embedded')))).not.toContain('people');
    expect((await guest(meeting, { [names.renewField]: token })).status).toBe(200);
    expect((await guest(meeting, { [names.renewField]: 'nothing' })).status).toBe(400);
    const refused = await client.call('readContacts', { url: session.contacts, token });
    expect([refused.status, at(json(refused), 'subcode')]).toEqual([403, 'AnonymousNotAllowed']);
    await request('deleteMyOnlineMeeting', 'DELETE', textAt(meeting, '_links', 'self', 'href'));
    expect((await guest(meeting)).status).toBe(400);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await client.call('readUser', { url: userUrl, token })).status).toBe(401);
  });

  it.each([
    ['a wrong id', { password: 'WRONG' }],
    ['no id', { password: '' }],
    ['an invalid URI', { uri: 'sip:nobody' }],
    ['no URI', { uri: '' }],
  ])('do not admit a guest with %s', async (_what, { password, uri }: { password?: string; uri?: string }) => {
    const meeting = await make();
    const wrong = {
      ...(password === undefined ? {} : { password }),
      ...(uri === undefined ? {} : { [names.conferenceUriField]: uri }),
    };
    expect((await guest(meeting, wrong)).status).toBe(400);
    await request('deleteMyOnlineMeeting', 'DELETE', textAt(meeting, '_links', 'self', 'href'));
  });
});
