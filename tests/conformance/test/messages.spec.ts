import { at, header, json, answerMediaType, textAt, type Answer } from '../src/answer.js';
import { EventFollower } from '../src/event-follower.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';
import { children, readXml } from '../src/xml.js';

/** The steps of the known clients: web-interface.md, section 8. */
describe('messages (interface A)', () => {
  const client = new WebClient();
  const { names, user, otherUser } = client.system;
  let own: Session;
  let other: Session;
  let atOwn: EventFollower;
  let atOther: EventFollower;
  const text = { 'content-type': 'text/plain' };

  beforeAll(async () => {
    [own, other] = [await session(user), await session(otherUser)];
    [atOwn, atOther] = [new EventFollower(client, own), new EventFollower(client, other)];
  });
  afterAll(async () => {
    for (const { self: url, token } of [own, other])
      await client.call('deleteApplication', { method: 'DELETE', url, token });
    await client.close();
  });

  /** A client in which the user is available, which is required for invitations. */
  async function session(known: typeof user): Promise<Session> {
    const made = await createSession(client, known, unique('messages-'));
    const url = textAt(made.application, '_embedded', 'me', '_links', 'makeMeAvailable', 'href');
    const headers = { 'content-type': 'application/json' };
    const body = '{"SupportedModalities":["Messaging"]}';
    await client.call('makeMeAvailable', { method: 'POST', url, token: made.token, headers, body });
    return made;
  }

  function post(operationId: string, by: Session, url: string, body = '', headers = {}): Promise<Answer> {
    return client.call(operationId, {
      method: 'POST',
      url,
      token: by.token,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  }

  async function read(operationId: string, by: Session, url: string): Promise<unknown> {
    const answer = await client.call(operationId, { url, token: by.token });
    expect(answer.status).toBe(200);
    return json(answer);
  }

  function href(resource: unknown, rel = 'self'): string {
    return textAt(resource, '_links', rel, 'href');
  }

  async function invite(body: string, headers = {}): Promise<string> {
    const start = textAt(own.application, '_embedded', 'communication', '_links', 'startMessaging', 'href');
    const started = await post('startMessaging', own, start, body, headers);
    expect([started.status, started.body]).toEqual([201, '']);
    return header(started, 'location') ?? '';
  }

  it('begin with an invitation, which rings and is accepted', async () => {
    const encoded = Buffer.from('Hi 👋 <b>').toString('base64');
    const message = { href: `data:text/plain;base64,${encoded}` };
    const to = `sip:${otherUser.username}`;
    const location = await invite(JSON.stringify({ to, subject: 'A & B', operationId: 'op', _links: { message } }));
    const invitation = await read('readMessagingInvitation', own, location);
    expect(invitation).toMatchObject({
      direction: 'Outgoing',
      state: 'Connecting',
      operationId: 'op',
      subject: 'A & B',
    });
    expect(await atOwn.shown('messagingInvitation', 'started')).toEqual(invitation);
    const conversation = await read('readConversation', own, href(invitation, 'conversation'));
    expect(await atOwn.shown('conversation', 'added')).toEqual(conversation);
    await atOwn.shown('localParticipant', 'added');

    const incoming = await atOther.shown('messagingInvitation', 'started');
    expect(incoming).toMatchObject({
      direction: 'Incoming',
      _links: { message: { href: 'data:text/plain;charset=utf-8,Hi+%F0%9F%91%8B+%3Cb%3E' } },
      _embedded: { from: { uri: `sip:${user.username}` } },
    });
    expect((await read('readParticipant', other, href(incoming, 'from'))) as object).toEqual(
      at(incoming, '_embedded', 'from'),
    );
    expect((await post('acceptMessaging', other, `${href(incoming, 'accept')}?sessionContext=1`)).status).toBe(204);
    const completed = await atOwn.until('messagingInvitation', 'completed');
    expect(at(completed.event, 'status')).toBe('Success');
    expect(await atOwn.shown('conversation', 'updated', 'Connected')).toMatchObject({
      activeModalities: ['Messaging'],
    });
    expect(href(await read('readConversation', own, href(conversation)), 'addParticipant')).toMatch(/^\/.*\?/);
  });

  it('are sent in both directions, by the links and at the URL of a message', async () => {
    const [mine, theirs] = [
      await atOwn.shown('messaging', 'updated', 'Connected'),
      await atOther.shown('messaging', 'updated', 'Connected'),
    ];
    expect((await post('setIsTyping', own, href(mine, 'setIsTyping'))).status).toBe(204);
    await atOther.until('participant', 'added', ({ event }) => at(event, 'in', 'rel') === 'typingParticipants');
    await read('listTypingParticipants', other, href(theirs, 'typingParticipants'));
    const sent = await post('sendMessage', own, `${href(mine, 'sendMessage')}?OperationContext=x`, '1 + 1 = 2', text);
    expect([sent.status, sent.body]).toEqual([201, '']);
    const isIt = ({ resource }: { resource: unknown }): boolean =>
      at(resource, '_links', 'plainMessage', 'href') === 'data:text/plain;charset=utf-8,1+%2B+1+%3D+2';
    const { resource } = await atOther.until('message', 'completed', isIt);
    client.contract.checkValue('Message', resource);
    expect(await read('readMessage', other, href(resource))).toEqual(resource);
    expect(await read('readParticipant', other, href(resource, 'participant'))).toMatchObject({
      uri: `sip:${user.username}`,
    });
    await read('readContact', other, href(resource, 'contact'));
    const confirmed = await atOwn.until(
      'message',
      'completed',
      (each) => href(each.resource) === header(sent, 'location'),
    );
    expect(at(confirmed.event, 'status')).toBe('Success');
    expect((await post('answerMessage', other, href(resource), 'yes', text)).status).toBe(201);
    await atOwn.until('message', 'completed', (each) =>
      String(at(each.resource, '_links', 'plainMessage', 'href')).endsWith(',yes'),
    );
  });

  it('are returned in XML when requested', async () => {
    const accept = `${names.mediaType}+xml`;
    const mine = await atOwn.shown('messaging', 'updated', 'Connected');
    const answer = await client.call('readMessaging', { url: href(mine), token: own.token, headers: { accept } });
    expect(answerMediaType(answer)).toBe(accept);
    const root = readXml(answer.body);
    expect(root).toMatchObject({ name: 'resource', attributes: { rel: 'messaging', xmlns: names.xmlNamespace } });
    const links = children(root, 'link').map(({ attributes }) => attributes['rel']);
    expect(links).toEqual(expect.arrayContaining(['sendMessage', 'stopMessaging', 'setIsTyping', 'conversation']));
    const gone = await client.call('readConversation', {
      url: href(mine, 'conversation').replace(/[^/]+$/, 'none'),
      token: own.token,
      headers: { accept },
    });
    expect([gone.status, gone.body]).toEqual([404, expect.stringContaining('<subcode>ConversationNotFound</subcode>')]);
  });

  it('are rejected when they are not text, too long, or outside the sender’s conversations', async () => {
    const send = href(await atOwn.shown('messaging', 'updated', 'Connected'), 'sendMessage');
    expect((await post('sendMessage', own, send, '{}')).status).toBe(415);
    expect((await post('sendMessage', own, send, '', text)).status).toBe(400);
    expect((await post('sendMessage', own, send, 'x'.repeat(100_000), text)).status).toBe(413);
    expect((await post('sendMessage', own, send, '<b>x</b>', { 'content-type': 'text/html' })).status).toBe(415);
    const rejected = await post('sendMessage', other, send, 'x', text);
    expect([rejected.status, at(json(rejected), 'subcode')]).toEqual([404, 'ApplicationNotFound']);
    const crowd = href(await read('readConversation', own, send.replace(/\/messaging\/.*/, '')), 'addParticipant');
    expect((await post('addParticipant', own, crowd, `{"to":"sip:${user.username}"}`)).status).toBe(403);
  });

  it('end for both, and a declined invitation in XML reports that', async () => {
    const mine = await atOwn.shown('messaging', 'updated', 'Connected');
    expect((await post('stopMessaging', own, href(mine, 'stopMessaging'))).status).toBe(204);
    expect((await post('stopMessaging', own, href(mine, 'stopMessaging'))).status).toBe(404);
    for (const follower of [atOwn, atOther]) {
      await follower.shown('messaging', 'updated', 'Disconnected');
      await follower.until('conversation', 'deleted');
    }
    const conversations = textAt(own.application, '_embedded', 'communication', '_links', 'conversations', 'href');
    expect(at(await read('listConversations', own, conversations), '_links', 'conversation')).toBeUndefined();
    const xml = `<input xmlns="${names.xmlNamespace}"><property name="to">${otherUser.username}</property></input>`;
    const location = await invite(xml, { 'content-type': `${names.mediaType}+xml` });
    const isSecond = ({ resource }: { resource: unknown }): boolean => at(resource, 'subject') === undefined;
    const { resource: incoming } = await atOther.until('messagingInvitation', 'started', isSecond);
    expect((await post('declineMessaging', other, href(incoming, 'decline'), '{"reason":"Global"}')).status).toBe(204);
    const failed = await atOwn.until('messagingInvitation', 'completed', (each) => href(each.resource) === location);
    expect(failed.event).toMatchObject({ status: 'Failure', reason: { code: 'RemoteFailure', subcode: 'Declined' } });
    expect(await read('readMessagingInvitation', own, location)).toMatchObject({ state: 'Declined' });
  });

  it('to an unknown person fail with the reason', async () => {
    const location = await invite(`{"to":"sip:${unique('nobody-')}@example.test"}`);
    const failed = await atOwn.until('messagingInvitation', 'completed', (each) => href(each.resource) === location);
    expect(failed.event).toMatchObject({ reason: { code: 'NotFound', subcode: 'DestinationNotFound' } });
  });

  it('of a client have settings that can be changed with a PUT of what was read', async () => {
    const url = textAt(own.application, '_embedded', 'communication', '_links', 'self', 'href');
    const before = await read('readCommunication', own, url);
    const put = (body: object, headers = {}): Promise<Answer> =>
      client.call('changeCommunication', {
        method: 'PUT',
        url,
        token: own.token,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const wanted = { ...Object(before), supportedMessageFormats: ['Plain', 'Html'] };
    expect((await put(wanted)).status).toBe(428);
    expect((await put(wanted, { 'if-match': '"0"' })).status).toBe(412);
    expect((await put(wanted, { 'if-match': `"${textAt(before, 'etag')}"` })).status).toBe(204);
    expect(await read('readCommunication', own, url)).toMatchObject({ supportedMessageFormats: ['Plain', 'Html'] });
  });
});
