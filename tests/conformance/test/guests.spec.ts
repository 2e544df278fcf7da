import { at, header, json, textAt, type Answer } from '../src/answer.js';
import { Device } from '../src/device.js';
import { EventFollower } from '../src/event-follower.js';
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

  function request(
    operationId: string,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    of: Pick<Session, 'token'> = session,
  ): Promise<Answer> {
    return client.call(operationId, { method, url, token: of.token });
  }

  async function make(input: object = {}): Promise<unknown> {
    const answer = await send('createMyOnlineMeeting', 'POST', meetings, input);
    expect(answer.status).toBe(201);
    return json(answer);
  }

  function send(
    operationId: string,
    method: 'POST' | 'PUT',
    url: string,
    body: object,
    { token, ...headers }: Readonly<Record<string, string>> & { token: string } = { token: session.token },
  ): Promise<Answer> {
    const type = { 'content-type': 'application/json' };
    return client.call(operationId, {
      method,
      url,
      token,
      headers: { ...type, ...headers },
      body: JSON.stringify(body),
    });
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

  it('have a page for guests, and nothing that is not offered', async () => {
    const meeting = await make({ subject: 'Tea', attendees: [`sip:${otherUser.username}`], leaders: [] });
    const joinUrl = new URL(textAt(meeting, 'joinUrl'));
    expect(joinUrl.pathname).toBe(`/meet/${user.username}/${textAt(meeting, 'conferenceId')}`);
    expect(meeting).toMatchObject({
      onlineMeetingRel: 'myOnlineMeetings',
      automaticLeaderAssignment: 'Disabled',
      entryExitAnnouncement: 'Unsupported',
      phoneUserAdmission: 'Disabled',
      lobbyBypassForPhoneUsers: 'Disabled',
      attendees: [],
      leaders: [],
    });
    await request('deleteMyOnlineMeeting', 'DELETE', textAt(meeting, '_links', 'self', 'href'));
  });

  it('are changed with a PUT of what was read', async () => {
    const meeting = await make({ subject: 'Tea' });
    const self = textAt(meeting, '_links', 'self', 'href');
    const etag = textAt(meeting, 'etag');
    const { token } = session;
    const change = async (body: object, match: Record<string, string>): Promise<number> => {
      return (await send('changeMyOnlineMeeting', 'PUT', self, body, { token, ...match })).status;
    };
    const changed = { ...Object(meeting), subject: 'Coffee' };
    expect(await change(changed, {})).toBe(428);
    expect(await change(changed, { 'if-match': '"0"' })).toBe(412);
    expect(await change({ subject: 'Coffee' }, { 'if-match': `"${etag}"` })).toBe(400);
    expect(await change(changed, { 'if-match': `"${etag}"` })).toBe(204);
    const read = json(await request('readMyOnlineMeeting', 'GET', self));
    expect([textAt(read, 'subject'), textAt(read, 'joinUrl')]).toEqual(['Coffee', textAt(meeting, 'joinUrl')]);
    expect(textAt(read, 'etag')).not.toBe(etag);
    await request('deleteMyOnlineMeeting', 'DELETE', self);
  });

  it('let a guest and the organizer write to each other', async () => {
    const organizer = await Device.start(client, user);
    const subject = unique('tea-');
    const meeting = await make({ subject });
    const token = textAt(json(await guest(meeting)), 'access_token');
    const application = await createApplication(client, session.applications, token, unique('guest-'));
    const events = new EventFollower(client, { application, token });
    const admitted = await request('readOnlineMeeting', 'GET', textAt(application, '_links', 'onlineMeeting', 'href'), {
      token,
    });
    expect(json(admitted)).toMatchObject({ subject, joinUrl: textAt(meeting, 'joinUrl') });

    const start = textAt(application, '_embedded', 'communication', '_links', 'startMessaging', 'href');
    for (const to of [`sip:${otherUser.username}`, 'sip:nobody@example.test']) {
      const refused = await send('startMessaging', 'POST', start, { to }, { token });
      expect([refused.status, at(json(refused), 'subcode')]).toEqual([403, 'AnonymousNotAllowed']);
    }
    const to = `sip:${user.username}`;
    const started = await send('startMessaging', 'POST', start, { to, anonymousDisplayName: 'Ann' }, { token });
    expect(started.status).toBe(201);
    const incoming = await organizer.invited(subject);
    expect(at(incoming, '_embedded', 'from')).toMatchObject({
      name: 'Ann (guest)',
      anonymous: true,
      sourceNetwork: 'Everyone',
    });
    const accept = textAt(incoming, '_links', 'accept', 'href');
    expect((await organizer.post('acceptMessaging', accept)).status).toBe(204);
    const atGuest = await events.shown('messaging', 'updated', 'Connected');
    const atOrganizer = await organizer.events.shown('messaging', 'updated', 'Connected');
    const text = { 'content-type': 'text/plain' };
    const write = (url: string, by: string, body: string): Promise<Answer> =>
      client.call('sendMessage', { method: 'POST', url, token: by, headers: text, body });
    const link = (messaging: unknown, rel: string): string => textAt(messaging, '_links', rel, 'href');
    expect((await write(link(atGuest, 'sendMessage'), token, 'Milk?')).status).toBe(201);
    expect((await write(link(atOrganizer, 'sendMessage'), organizer.session.token, 'Please.')).status).toBe(201);
    const isIncoming = ({ resource }: { readonly resource: unknown }): boolean =>
      at(resource, 'direction') === 'Incoming';
    const received = await events.until('message', 'completed', isIncoming);
    expect(link(received.resource, 'plainMessage')).toContain('Please.');
    const atThem = await organizer.events.until('message', 'completed', isIncoming);
    expect(link(atThem.resource, 'plainMessage')).toContain('Milk%3F');
    await request('deleteMyOnlineMeeting', 'DELETE', textAt(meeting, '_links', 'self', 'href'));
    await organizer.events.until('conversation', 'deleted');
    await organizer.end();
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
