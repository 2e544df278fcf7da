import { at, header, json, listAt, textAt, type Answer } from '../src/answer.js';
import { createSession, type Session } from '../src/sign-in.js';
import { unique } from '../src/unique.js';
import { WebClient, type WebRequest } from '../src/web-client.js';

/** One event of the channel with the sender that it came from. */
interface Told {
  readonly sender: string;
  readonly type: string;
  readonly rel: string;
  readonly event: unknown;
}

/** A client that knows nothing but links: whatever it does next, an answer or an event has told it where. */
class Walker {
  private next: string;
  /** Out of the last answer: it may hold more than what is waited for just now. */
  private readonly untold: Told[] = [];

  constructor(
    private readonly client: WebClient,
    readonly session: Session,
  ) {
    this.next = textAt(session.application, '_links', 'events', 'href');
  }

  call(operationId: string, url: string, more: Partial<WebRequest> = {}): Promise<Answer> {
    return this.client.call(operationId, { url, token: this.session.token, ...more });
  }

  post(operationId: string, url: string, body?: unknown, contentType = 'application/json'): Promise<Answer> {
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    return this.call(operationId, url, { method: 'POST', headers: { 'content-type': contentType }, body: text });
  }

  async get(operationId: string, url: string): Promise<unknown> {
    const answer = await this.call(operationId, url);
    expect([answer.status, url]).toEqual([200, url]);
    return json(answer);
  }

  /** The next event that is what is waited for; the events before it were for somebody else. */
  async event(rel: string, type: string, fits: (event: unknown) => boolean = () => true): Promise<unknown> {
    const seen: string[] = [];
    for (let polls = 0; polls < 30; polls++) {
      for (let told = this.untold.shift(); told; told = this.untold.shift()) {
        seen.push(`${told.sender}: ${told.rel} ${told.type}`);
        if (told.rel === rel && told.type === type && fits(told.event)) return told.event;
      }
      this.untold.push(...(await this.poll()));
    }
    throw new Error(`no ${rel} ${type} among ${seen.join(', ')}`);
  }

  private async poll(): Promise<readonly Told[]> {
    const answer = await this.get('pollEvents', `${this.next}&low=5&medium=5&timeout=180`);
    this.next = textAt(answer, '_links', 'next', 'href');
    return listAt(answer, 'sender').flatMap((sender) =>
      listAt(sender, 'events').map((event) => ({
        sender: textAt(sender, 'rel'),
        type: textAt(event, 'type'),
        rel: textAt(event, 'link', 'rel'),
        event,
      })),
    );
  }
}

function embedded(event: unknown): unknown {
  return at(event, '_embedded', textAt(event, 'link', 'rel'));
}

function linkOf(resource: unknown, rel: string): string {
  return textAt(resource, '_links', rel, 'href');
}

/** What the vendor's own sample client does, in its order, with a bot at the other end. */
describe('a client that follows links from the application to the end of a conversation', () => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  let own: Walker;
  let bot: Walker;

  beforeAll(async () => {
    own = new Walker(client, await createSession(client, user, unique('walk-')));
    bot = new Walker(client, await createSession(client, otherUser, unique('walk-')));
  });
  afterAll(() => client.close());

  it('makes itself available, and finds its own operations in the application read again', async () => {
    for (const walker of [own, bot]) {
      const { application, self } = walker.session;
      const url = linkOf(at(application, '_embedded', 'me'), 'makeMeAvailable');
      expect((await walker.post('makeMeAvailable', url, { SupportedModalities: ['Messaging'] })).status).toBe(204);
      const me = at(await walker.get('readApplication', self), '_embedded', 'me', '_links');
      for (const rel of ['note', 'presence', 'location', 'reportMyActivity']) expect(at(me, rel)).toBeDefined();
      expect(at(me, 'makeMeAvailable')).toBeUndefined();
    }
  });

  it('is told of itself', async () => {
    expect(textAt(await own.event('presence', 'added'), 'link', 'href')).toMatch(/^\//);
  });

  it('finds people, contacts and groups, and subscribes to their presence', async () => {
    const people = at(own.session.application, '_embedded', 'people');
    const found = await own.get('searchPeople', `${linkOf(people, 'search')}?query=${otherUser.username}&limit=3`);
    expect(listAt(found, '_embedded', 'contact')).not.toHaveLength(0);
    await own.get('readContacts', linkOf(people, 'myContacts'));
    const groups = await own.get('readGroups', linkOf(people, 'myGroups'));
    const group = at(groups, '_embedded', 'defaultGroup');
    const subscribed = await own.post(
      'subscribeToPresence',
      `${linkOf(group, 'subscribeToGroupPresence')}&duration=11`,
    );
    expect(subscribed.status).toBe(201);
    const uris = [`sip:${otherUser.username}`];
    const url = linkOf(people, 'presenceSubscriptions');
    expect((await own.post('subscribeToPresence', url, { duration: 11, uris })).status).toBe(201);
    const told = await own.event('contactPresence', 'updated', (event) =>
      textAt(event, 'link', 'href').includes(otherUser.username),
    );
    const presence = await own.get('readContactPresence', textAt(told, 'link', 'href'));
    expect(textAt(presence, 'availability')).toBe('Online');
  });

  it('writes to somebody, who accepts and answers at the address of the message itself', async () => {
    const communication = at(own.session.application, '_embedded', 'communication');
    const started = await own.post('startMessaging', linkOf(communication, 'startMessaging'), {
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
    expect((await bot.post('acceptMessaging', linkOf(invited, 'accept'))).status).toBe(204);

    const isConnected = (event: unknown): boolean => at(embedded(event), 'state') === 'Connected';
    const messaging = embedded(await own.event('messaging', 'updated', isConnected));
    const conversation = await own.get('readConversation', linkOf(messaging, 'conversation'));
    expect(linkOf(conversation, 'addParticipant')).toBeTruthy();
    const sent = await own.post(
      'sendMessage',
      `${linkOf(messaging, 'sendMessage')}?OperationContext=${unique('m')}`,
      'Grüße + <b>',
      'text/plain',
    );
    expect(sent.status).toBe(201);

    const isIncoming = (event: unknown): boolean => at(embedded(event), 'direction') === 'Incoming';
    let text = '';
    let message: unknown;
    while (text !== 'Grüße + <b>') {
      message = embedded(await bot.event('message', 'completed', isIncoming));
      const [, data = ''] = /^data:[^,]+,(.*)$/s.exec(textAt(message, '_links', 'plainMessage', 'href')) ?? [];
      text = decodeURIComponent(data.replaceAll('+', ' '));
    }
    const participant = await bot.get('readParticipant', linkOf(message, 'participant'));
    expect(textAt(participant, 'uri')).toBe(`sip:${user.username}`);
    const answered = await bot.post('answerMessage', linkOf(message, 'self'), 'Yes', 'text/plain');
    expect(answered.status).toBe(201);
    const answer = embedded(await own.event('message', 'completed', isIncoming));
    expect(textAt(answer, '_links', 'plainMessage', 'href')).toMatch(/,Yes$/);
    expect(linkOf(answer, 'contact')).toContain(otherUser.username);

    expect((await own.post('stopMessaging', linkOf(messaging, 'stopMessaging'))).status).toBe(204);
    await bot.event('messaging', 'updated', (event) => at(embedded(event), 'state') === 'Disconnected');
  });

  it('reports its activity and leaves; nothing is there any more', async () => {
    const { self, token } = own.session;
    const me = at(await own.get('readApplication', self), '_embedded', 'me');
    expect((await own.post('reportMyActivity', linkOf(me, 'reportMyActivity'))).status).toBe(204);
    for (const walker of [own, bot]) {
      const { self: url, token: theirs } = walker.session;
      expect((await client.call('deleteApplication', { method: 'DELETE', url, token: theirs })).status).toBe(204);
    }
    const gone = await client.call('readApplication', { url: self, token });
    expect([gone.status, at(json(gone), 'subcode')]).toEqual([404, 'ApplicationNotFound']);
  });
});
