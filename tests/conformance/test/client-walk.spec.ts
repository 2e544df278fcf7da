import { at, header, listAt, textAt } from '../src/answer.js';
import { unique } from '../src/unique.js';
import { Walker } from '../src/walker.js';
import { WebClient } from '../src/web-client.js';

function embedded(event: unknown): unknown {
  return at(event, '_embedded', textAt(event, 'link', 'rel'));
}

function linkHref(resource: unknown, rel: string): string {
  return textAt(resource, '_links', rel, 'href');
}

/** The steps of the vendor's own sample client, in its order, with a bot at the other end. */
describe.each(['json', 'xml'] as const)('a client that follows links to the end of a conversation, in %s', (form) => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  let own: Walker;
  let bot: Walker;

  beforeAll(async () => {
    own = await Walker.start(client, user, form);
    bot = await Walker.start(client, otherUser, form);
  });
  afterAll(() => client.close());

  it('becomes available, and finds the new operations when it reads the application again', async () => {
    for (const walker of [own, bot]) {
      const { application, self } = walker.session;
      const url = linkHref(at(application, '_embedded', 'me'), 'makeMeAvailable');
      expect((await walker.post('makeMeAvailable', url, { SupportedModalities: ['Messaging'] })).status).toBe(204);
      const me = at(await walker.get('readApplication', self), '_embedded', 'me', '_links');
      for (const rel of ['note', 'presence', 'location', 'reportMyActivity']) expect(at(me, rel)).toBeDefined();
      expect(at(me, 'makeMeAvailable')).toBeUndefined();
    }
  });

  it('receives events about itself', async () => {
    expect(textAt(await own.event('presence', 'added'), 'link', 'href')).toMatch(/^\//);
  });

  it('finds people, contacts and groups, and subscribes to their presence', async () => {
    const people = at(own.session.application, '_embedded', 'people');
    const found = await own.get('searchPeople', `${linkHref(people, 'search')}?query=${otherUser.username}&limit=3`);
    expect(listAt(found, '_embedded', 'contact')).not.toHaveLength(0);
    await own.get('readContacts', linkHref(people, 'myContacts'));
    const groups = await own.get('readGroups', linkHref(people, 'myGroups'));
    const group = at(groups, '_embedded', 'defaultGroup');
    const subscribed = await own.post(
      'subscribeToPresence',
      `${linkHref(group, 'subscribeToGroupPresence')}&duration=11`,
    );
    expect(subscribed.status).toBe(201);
    const uris = [`sip:${otherUser.username}`];
    const url = linkHref(people, 'presenceSubscriptions');
    expect((await own.post('subscribeToPresence', url, { duration: 11, uris })).status).toBe(201);
    const updated = await own.event('contactPresence', 'updated', (event) =>
      textAt(event, 'link', 'href').includes(otherUser.username),
    );
    const presence = await own.get('readContactPresence', textAt(updated, 'link', 'href'));
    expect(textAt(presence, 'availability')).toBe('Online');
  });

  it('writes to a person, who accepts and answers at the URL of the message itself', async () => {
    const communication = at(own.session.application, '_embedded', 'communication');
    const started = await own.post('startMessaging', linkHref(communication, 'startMessaging'), {
      operationId: unique('o'),
      to: `sip:${otherUser.username}`,
      subject: 'Lunch?',
      sessionContext: unique('s'),
      telemetryId: null,
      _links: { message: { href: 'data:text/plain;base64,SGk=' } },
    });
    expect(started.status).toBe(201);
    expect(header(started, 'location')).toMatch(/^\/(?!\/)/);

    const invited = embedded(
      await bot.event('messagingInvitation', 'started', (event) => at(embedded(event), 'direction') === 'Incoming'),
    );
    expect(textAt(invited, '_links', 'message', 'href')).toMatch(/^data:text\/plain;charset=utf-8,Hi$/);
    expect(at(invited, '_embedded', 'from', 'uri')).toBe(`sip:${user.username}`);
    expect((await bot.post('acceptMessaging', linkHref(invited, 'accept'))).status).toBe(204);

    const isConnected = (event: unknown): boolean => at(embedded(event), 'state') === 'Connected';
    const messaging = embedded(await own.event('messaging', 'updated', isConnected));
    const conversation = await own.get('readConversation', linkHref(messaging, 'conversation'));
    expect(linkHref(conversation, 'addParticipant')).toBeTruthy();
    const send = `${linkHref(messaging, 'sendMessage')}?OperationContext=${unique('m')}`;
    const sent = await own.sendText('sendMessage', send, 'Grüße + <b>');
    expect(sent.status).toBe(201);

    const isIncoming = (event: unknown): boolean => at(embedded(event), 'direction') === 'Incoming';
    let text = '';
    let message: unknown;
    while (text !== 'Grüße + <b>') {
      message = embedded(await bot.event('message', 'completed', isIncoming));
      const [, data = ''] = /^data:[^,]+,(.*)$/s.exec(textAt(message, '_links', 'plainMessage', 'href')) ?? [];
      text = decodeURIComponent(data.replaceAll('+', ' '));
    }
    const participant = await bot.get('readParticipant', linkHref(message, 'participant'));
    expect(textAt(participant, 'uri')).toBe(`sip:${user.username}`);
    const answered = await bot.sendText('answerMessage', linkHref(message, 'self'), 'Yes');
    expect(answered.status).toBe(201);
    const answer = embedded(await own.event('message', 'completed', isIncoming));
    expect(textAt(answer, '_links', 'plainMessage', 'href')).toMatch(/,Yes$/);
    expect(linkHref(answer, 'contact')).toContain(otherUser.username);

    expect((await own.post('stopMessaging', linkHref(messaging, 'stopMessaging'))).status).toBe(204);
    await bot.event('messaging', 'updated', (event) => at(embedded(event), 'state') === 'Disconnected');
  });

  it('reports its activity and leaves; nothing exists any more', async () => {
    const { self } = own.session;
    const me = at(await own.get('readApplication', self), '_embedded', 'me');
    expect((await own.post('reportMyActivity', linkHref(me, 'reportMyActivity'))).status).toBe(204);
    for (const walker of [own, bot]) {
      const { self: url, token: theirs } = walker.session;
      expect((await client.call('deleteApplication', { method: 'DELETE', url, token: theirs })).status).toBe(204);
    }
    const gone = await own.call('readApplication', self);
    expect([gone.status, at(own.read(gone), 'subcode')]).toEqual([404, 'ApplicationNotFound']);
  });
});
