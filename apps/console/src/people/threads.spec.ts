import type { Invitation, Messaging, SessionEvent } from '../web-interface/index.js';
import { Threads, type Thread } from './threads.js';

const bob = { uri: 'sip:bob@example.test', name: 'Bob' };
const communication = { rel: 'communication', href: '/communication' };

function invitation(event: Partial<SessionEvent>, resource: Partial<Invitation>): SessionEvent {
  const common = { rel: 'messagingInvitation', href: '/i/1', state: 'Connecting', conversation: '/c/1' };
  const from = { ...bob, href: '/c/1/participants/bob' };
  const shown = { ...common, from, ...resource } as Invitation;
  const link = { rel: 'messagingInvitation', href: '/i/1' };
  return { type: 'started', sender: communication, link, resource: shown, ...event };
}

function messaging(state: Messaging['state'], conversation = '/c/1'): SessionEvent {
  const href = `${conversation}/messaging`;
  const links = state === 'Connected' ? { send: `${href}/messages` } : {};
  return {
    type: 'updated',
    sender: { rel: 'conversation', href: conversation },
    link: { rel: 'messaging', href },
    resource: { rel: 'messaging', href, state, conversation, links },
  };
}

function message(direction: 'Incoming' | 'Outgoing', href: string, more: Partial<SessionEvent> = {}): SessionEvent {
  const resource = { rel: 'message', href, messaging: '/c/1/messaging', direction, at: 7 } as const;
  return {
    type: 'completed',
    sender: { rel: 'conversation', href: '/c/1' },
    link: { rel: 'message', href },
    outcome: 'Success',
    resource: direction === 'Incoming' ? { ...resource, text: `text of ${href}` } : resource,
    ...more,
  };
}

function typing(type: 'added' | 'deleted'): SessionEvent {
  const sender = { rel: 'conversation', href: '/c/1' };
  const link = { rel: 'participant', href: '/c/1/participants/bob' };
  return { type, sender, link, in: { rel: 'typingParticipants', href: '/c/1/typing' } };
}

const ended: SessionEvent = { type: 'deleted', sender: communication, link: { rel: 'conversation', href: '/c/1' } };
const accept = { accept: '/i/1/accept', decline: '/i/1/decline' };
const incoming = invitation({}, { direction: 'Incoming', answers: accept, text: 'Hi' });

function after(threads: Threads, ...events: readonly SessionEvent[]): Threads {
  return events.reduce((before, event) => before.onEvent(event), threads);
}

function withBob(threads: Threads): Thread {
  const thread = threads.with(bob.uri);
  if (thread === undefined) throw new Error('there is no thread with Bob');
  return thread;
}

function deliveries(threads: Threads): readonly unknown[] {
  return withBob(threads).lines.map(({ text, delivery }) => [text, delivery]);
}

const outgoing = { direction: 'Outgoing', operationId: 'one' } as const;
const asking = new Threads().addOutgoing(bob, 'one', 'Are you there?', 1);
const invited = after(asking, invitation({}, outgoing));
const open = after(new Threads(), incoming, messaging('Connected'));

describe('a thread started by the user', () => {
  it('invites with the first message, and queues the next ones', () => {
    const threads = asking.addOutgoing(bob, 'two', 'Hello?', 2);
    expect(withBob(threads).phase).toBe('inviting');
    expect(deliveries(threads)).toEqual([
      ['Are you there?', 'sending'],
      ['Hello?', 'waiting'],
    ]);
  });

  it('is open when the other person accepts', () => {
    const completed = invitation({ type: 'completed', outcome: 'Success' }, { ...outgoing, state: 'Connected' });
    const threads = after(invited, messaging('Connected'), completed);
    expect(withBob(threads)).toMatchObject({
      phase: 'open',
      messaging: { links: { send: '/c/1/messaging/messages' } },
    });
    expect(deliveries(threads)).toEqual([['Are you there?', 'delivered']]);
  });

  it.each([
    ['Declined', 'Bob declined'],
    ['TemporarilyUnavailable', 'Bob is not signed in'],
    ['Timeout', 'Bob did not answer'],
    ['SomethingNew', 'not delivered'],
  ])('shows why it failed: %s', (subcode, failure) => {
    const reason = { code: 'RemoteFailure', subcode };
    const failed = invitation({ type: 'completed', outcome: 'Failure', reason }, { ...outgoing, state: 'Failed' });
    const threads = after(asking.addOutgoing(bob, 'two', 'Hello?', 2), failed);
    expect(withBob(threads)).toMatchObject({ phase: 'none', lines: [{ failure }, { delivery: 'failed', failure }] });
  });

  it('can be started again, even if events of the previous one arrive late', () => {
    const threads = after(after(invited, messaging('Disconnected')).addOutgoing(bob, 'two', 'Again', 3), ended);
    expect(withBob(threads).phase).toBe('inviting');
  });

  it('is not started if the invitation could not be sent', () => {
    expect(withBob(asking.failed(bob.uri, 'one', 'too many'))).toMatchObject({
      phase: 'none',
      lines: [{ delivery: 'failed', failure: 'too many' }],
    });
  });

  it('belongs to the tab that started it', () => {
    const other = invitation({}, { ...outgoing, operationId: 'of another tab' });
    expect(after(new Threads(), other).all).toEqual([]);
  });
});

describe('a thread started by another person', () => {
  it('shows the invitation, and is open after it was accepted', () => {
    const threads = after(new Threads(), incoming);
    expect(withBob(threads)).toMatchObject({ phase: 'invited', invitation: { text: 'Hi' }, lines: [] });
    const completed = invitation(
      { type: 'completed', outcome: 'Success' },
      { direction: 'Incoming', state: 'Connected' },
    );
    const accepted = after(threads, messaging('Connected'), completed);
    expect(withBob(accepted)).toMatchObject({ phase: 'open' });
    expect(withBob(accepted)).not.toHaveProperty('invitation');
  });

  it('shows a missed invitation', () => {
    const reason = { code: 'RemoteFailure', subcode: 'Canceled' };
    const cancelled = invitation(
      { type: 'completed', outcome: 'Failure', reason },
      { direction: 'Incoming', state: 'Cancelled', text: 'Hi' },
    );
    expect(withBob(after(new Threads(), incoming, cancelled))).toMatchObject({
      phase: 'none',
      unread: 1,
      lines: [{ text: 'Hi', failure: 'missed' }],
    });
  });

  it.each(['ConnectedElsewhere', 'Declined'])('removes the invitation when the user has answered: %s', (subcode) => {
    const reason = { code: 'Informational', subcode };
    const over = invitation({ type: 'completed', outcome: 'Failure', reason }, { direction: 'Incoming' });
    expect(withBob(after(new Threads(), incoming, over))).toMatchObject({ phase: 'none', lines: [], unread: 0 });
  });
});

describe('an open thread', () => {
  it('lists each message once, and counts the unread ones', () => {
    const threads = after(open, message('Incoming', '/m/1'), message('Incoming', '/m/2'), message('Incoming', '/m/1'));
    expect(withBob(threads)).toMatchObject({ unread: 2, lines: [{ text: 'text of /m/1' }, { text: 'text of /m/2' }] });
    expect(withBob(threads.read(bob.uri)).unread).toBe(0);
  });

  it('shows whether the other person is typing', () => {
    const threads = after(open, typing('added'));
    expect(withBob(threads).isTyping).toBe(true);
    expect(withBob(after(threads, typing('deleted'))).isTyping).toBe(false);
    expect(withBob(after(threads, message('Incoming', '/m/1'))).isTyping).toBe(false);
  });

  it.each(['before', 'after'])('shows the outcome of a message that was confirmed %s it had an address', (order) => {
    const sending = open.addOutgoing(bob, 'one', 'Hi', 1);
    const confirmation = message('Outgoing', '/m/1');
    const threads =
      order === 'before'
        ? after(sending, confirmation).sent(bob.uri, 'one', '/m/1')
        : after(sending.sent(bob.uri, 'one', '/m/1'), confirmation);
    expect(deliveries(threads)).toEqual([['Hi', 'delivered']]);
  });

  it('shows that a message was not delivered, even if the conversation is over', () => {
    const failure = { outcome: 'Failure', reason: { code: 'RemoteFailure', subcode: 'Timeout' } } as const;
    const threads = after(open.addOutgoing(bob, 'one', 'Hi', 1).sent(bob.uri, 'one', '/m/1'), ended);
    expect(withBob(after(threads, message('Outgoing', '/m/1', failure))).lines).toMatchObject([
      { delivery: 'failed', failure: 'Bob did not answer' },
    ]);
  });

  it('is over after any event that ends it', () => {
    for (const threads of [after(open, ended), after(open, messaging('Disconnected')), open.keepOpen(new Set())]) {
      expect(withBob(threads).phase).toBe('none');
      expect(withBob(threads)).not.toHaveProperty('messaging');
    }
    expect(withBob(open.keepOpen(new Set(['/c/1']))).phase).toBe('open');
  });

  it('exists if it was started before the page was loaded', () => {
    const { resource } = messaging('Connected', '/c/9');
    expect(withBob(new Threads().adopt(bob, resource as Messaging))).toMatchObject({
      phase: 'open',
      conversation: '/c/9',
      isResumed: true,
    });
    const known = after(open, message('Incoming', '/m/1'));
    expect(withBob(known.adopt(bob, resource as Messaging))).toMatchObject({ isResumed: false });
  });

  it('moves to the top when something new arrives', () => {
    const threads = open.change({ uri: 'sip:ann@example.test', name: 'Ann' }, (thread) => thread);
    expect(threads.all.map(({ name }) => name)).toEqual(['Ann', 'Bob']);
    expect(after(threads, message('Incoming', '/m/1')).all.map(({ name }) => name)).toEqual(['Bob', 'Ann']);
  });
});
