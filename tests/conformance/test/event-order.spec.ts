import { at, json, listAt, textAt } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

interface Block {
  readonly rel: string;
  readonly events: readonly string[];
}

/** web-interface.md, section 14: some clients read the senders of a package by position. */
describe('the order of events', () => {
  const client = new WebClient();
  const { user, otherUser } = client.system;
  let caller: Device;
  let callee: Device;

  beforeEach(async () => {
    caller = await Device.start(client, user);
    callee = await Device.start(client, otherUser);
  });
  afterEach(async () => {
    await caller.end();
    await callee.end();
  });
  afterAll(() => client.close());

  /** The blocks of each package, until as many invitations have started. */
  async function packages(device: Device, invitations: number): Promise<readonly (readonly Block[])[]> {
    const seen: Block[][] = [];
    const started = (): readonly string[] =>
      seen.flatMap((each) => each.flatMap(({ events }) => events)).filter((event) => event === STARTED);
    let next = textAt(device.session.application, '_links', 'events', 'href');
    while (started().length < invitations) {
      const answer = json(await device.get('pollEvents', next));
      next = textAt(answer, '_links', 'next', 'href');
      const blocks = listAt(answer, 'sender').map((sender) => ({
        rel: textAt(sender, 'rel'),
        events: listAt(sender, 'events').map((event) => `${textAt(event, 'link', 'rel')} ${textAt(event, 'type')}`),
      }));
      seen.push(blocks);
    }
    return seen;
  }

  const STARTED = 'messagingInvitation started';
  const INCOMING = [
    { rel: 'communication', events: [STARTED, 'conversation added'] },
    { rel: 'conversation', events: ['localParticipant added', 'participant added', 'messaging updated'] },
  ];

  it('begins the package of an incoming invitation with communication, then the conversation', async () => {
    await caller.invite({ to: `sip:${otherUser.username}`, subject: unique('order-') });
    // The events about the start of the client wait as well: they are in the package before.
    const seen = await packages(callee, 1);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual(INCOMING);
  });

  it('has a package for each of two invitations that wait', async () => {
    for (const subject of [unique('order-'), unique('order-')]) {
      await caller.invite({ to: `sip:${otherUser.username}`, subject });
    }
    const seen = await packages(callee, 2);
    expect(seen.slice(-2)).toEqual([INCOMING, INCOMING]);
  });

  it('names communication before the conversation in an outgoing invitation', async () => {
    await caller.invite({ to: `sip:${otherUser.username}`, subject: unique('order-') });
    const seen = (await packages(caller, 1)).flat();
    const outgoing = seen.findIndex((block) => block.events.includes('messagingInvitation started'));
    // Events about the start of the client may come before, in the same block.
    expect(seen[outgoing]?.events.slice(-2)).toEqual(['messagingInvitation started', 'conversation added']);
    expect(seen[outgoing + 1]).toEqual({
      rel: 'conversation',
      events: ['localParticipant added', 'messaging updated'],
    });
  });

  it('has one block of the conversation after an acceptance, with the first message', async () => {
    const message = 'data:text/plain,hello';
    await caller.invite({ to: `sip:${otherUser.username}`, subject: unique('order-'), message });
    const next = textAt(callee.session.application, '_links', 'events', 'href');
    const subject = (event: unknown): unknown => at(event, '_embedded', 'messagingInvitation', 'subject');
    let accepted = false;
    for (let url = next; !accepted;) {
      const answer = json(await callee.get('pollEvents', url));
      url = textAt(answer, '_links', 'next', 'href');
      for (const sender of listAt(answer, 'sender')) {
        for (const event of listAt(sender, 'events').filter((each) => subject(each) !== undefined)) {
          const accept = textAt(event, '_embedded', 'messagingInvitation', '_links', 'accept', 'href');
          expect((await callee.post('acceptMessaging', accept)).status).toBe(204);
          accepted = true;
        }
      }
      if (!accepted) continue;
      const connected = await caller.events.until('messagingInvitation', 'completed');
      expect(at(connected.event, 'status')).toBe('Success');
      const after = json(await callee.get('pollEvents', url));
      const ofConversation = listAt(after, 'sender').filter((sender) => at(sender, 'rel') === 'conversation');
      expect(ofConversation).toHaveLength(1);
      expect(listAt(ofConversation[0], 'events').map((event) => textAt(event, 'link', 'rel'))).toEqual([
        'participantMessaging',
        'participantMessaging',
        'messaging',
        'message',
      ]);
    }
  });
});
