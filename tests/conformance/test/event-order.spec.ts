import { at, json, listAt, textAt } from '../src/answer.js';
import { Device } from '../src/device.js';
import { unique } from '../src/unique.js';
import { WebClient } from '../src/web-client.js';

interface Block {
  readonly rel: string;
  readonly events: readonly string[];
}

/** Section W17: some clients read the senders of a package by position. */
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

  /** The blocks of a device up to this event, as a client that reads package after package sees them. */
  async function blocks(device: Device, rel: string, type: string): Promise<readonly Block[]> {
    const seen: Block[] = [];
    let next = textAt(device.session.application, '_links', 'events', 'href');
    while (!seen.some(({ events }) => events.includes(`${rel} ${type}`))) {
      const answer = json(await device.get('pollEvents', next));
      next = textAt(answer, '_links', 'next', 'href');
      for (const sender of listAt(answer, 'sender')) {
        const events = listAt(sender, 'events').map(
          (event) => `${textAt(event, 'link', 'rel')} ${textAt(event, 'type')}`,
        );
        seen.push({ rel: textAt(sender, 'rel'), events });
      }
    }
    return seen.filter(({ rel: sender }) => sender === 'conversation' || sender === 'communication');
  }

  it('names the conversation before communication in an incoming invitation', async () => {
    await caller.invite({ to: `sip:${otherUser.username}`, subject: unique('order-') });
    const seen = await blocks(callee, 'messagingInvitation', 'started');
    const incoming = seen.findIndex((block) => block.events.includes('messagingInvitation started'));
    expect(seen[incoming]).toEqual({
      rel: 'communication',
      events: ['messagingInvitation started', 'conversation added'],
    });
    expect(seen[incoming - 1]).toEqual({
      rel: 'conversation',
      events: ['localParticipant added', 'participant added', 'messaging updated'],
    });
  });

  it('names communication before the conversation in an outgoing invitation', async () => {
    await caller.invite({ to: `sip:${otherUser.username}`, subject: unique('order-') });
    const seen = await blocks(caller, 'messaging', 'updated');
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
