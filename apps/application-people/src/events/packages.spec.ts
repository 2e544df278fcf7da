import { append } from './append.js';
import { NEW_CHANNEL, type Channel } from './channel.js';
import { poll, POLL_RULES, pollWaiterState } from './poll.js';
import { withdrawEvent } from './receipts.js';
import { BOUNDS } from './release.js';
import type { SessionEvent } from './session-event.js';

const T = 1_700_000_000_000;
const A = '/uc/v1/applications/123456789012';

/** As large as real ones, which are repeated for each group of the contact. */
function contactIn(person: number, group: number): SessionEvent {
  const address = `firstname${(person * 7_919) % 1_000}.lastname${person}@example.test`;
  const href = `${A}/people/${address}`;
  const parts = ['presence', 'location', 'note', 'supportedMedia', 'privacyRelationship'];
  return {
    sender: { rel: 'people', href: `${A}/people` },
    type: 'added',
    link: { rel: 'contact', href, title: `Person ${person}` },
    in: { rel: 'groupContacts', href: `${A}/people/contacts?groupId=${(group * 0x9e_37_79).toString(16)}` },
    embedded: {
      rel: 'contact',
      href,
      links: [{ rel: 'contactPhoto', href }, ...parts.map((part) => ({ rel: part, href: `${href}/${part}` }))],
      properties: {
        name: `Firstname Lastname ${person}`,
        uri: `sip:${address}`,
        emailAddresses: [address],
        department: `Department ${person % 9}`,
        company: 'Example Limited',
        workPhoneNumber: `tel:+49301234${person * 37}`,
      },
      etag: `${(person * 2_654_435_761) % 4_294_967_296}`,
    },
  };
}

function message(number: number, text = ''): SessionEvent {
  return {
    sender: { rel: 'conversation', href: '/c' },
    type: 'completed',
    link: { rel: 'message', href: `/m/${number}` },
    embedded: { rel: 'message', href: `/m/${number}`, properties: { text } },
    receipt: { conversation: 'c', number },
  };
}

const presence: SessionEvent = {
  sender: { rel: 'people', href: '/people' },
  type: 'updated',
  link: { rel: 'contactPresence', href: '/p' },
};

function invitation(name: string, direction = 'Incoming'): SessionEvent[] {
  const sender = { rel: 'communication', href: '/communication' };
  const link = { rel: 'messagingInvitation', href: `/i/${name}` };
  const embedded = { rel: link.rel, href: link.href, properties: { direction } };
  return [
    { sender, type: 'started', link, embedded },
    { sender, type: 'added', link: { rel: 'conversation', href: `/c/${name}` } },
  ];
}

/** Everything that a client receives that polls until it would have to wait. */
function packages(channel: Channel, rules = POLL_RULES): readonly (readonly SessionEvent[])[] {
  const received: (readonly SessionEvent[])[] = [];
  let current = channel;
  for (let ack = channel.last + 1; ; ack++) {
    const polled = poll(current, { ack, settings: {}, token: `r.${ack}` }, T, rules);
    if (polled.result.kind === 'wait') return received;
    if (polled.result.kind !== 'package') throw new Error(`not a package: ${polled.result.kind}`);
    const again = poll(polled.channel, { ack, settings: {}, token: 'r.again' }, T, rules);
    expect(again.result).toMatchObject({ kind: 'package', number: ack });
    expect(again.channel.held).toBe(polled.channel.held);
    received.push(polled.result.package.events);
    expect(JSON.stringify(polled.channel).length).toBeLessThan(1_000_000);
    current = polled.channel;
  }
}

const totalEventBytes = (events: readonly SessionEvent[]): number =>
  events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);

/** Quicker to compare than the events. */
const eventsText = (all: readonly (readonly SessionEvent[])[]): string => JSON.stringify(all.flat(), undefined, 1);

const hrefs = (all: readonly (readonly SessionEvent[])[]): readonly (readonly string[])[] =>
  all.map((events) => events.map(({ link }) => link.href));

describe('more events than one package has', () => {
  it('of 250 contacts in 64 groups wait for a slow client, who receives them in order', () => {
    const all = Array.from({ length: 64 }, (_, group) => Array.from({ length: 250 }, (_u, n) => contactIn(n, group)));
    let channel = NEW_CHANNEL;
    for (const events of all) channel = append(channel, events, T);
    expect(JSON.stringify(channel).length).toBeLessThan(700_000);
    const received = packages(channel);
    expect(eventsText(received)).toBe(eventsText(all));
    for (const events of received) expect(totalEventBytes(events)).toBeLessThanOrEqual(BOUNDS.packageBytes);
  });

  it('may be the events of one change', () => {
    const all = Array.from({ length: 16_000 }, (_, n) => contactIn(n % 250, Math.floor(n / 250)));
    expect(eventsText(packages(append(NEW_CHANNEL, all, T)))).toBe(eventsText([all]));
  });

  it('are delivered at once when the first of them were, also those that could wait', () => {
    const large = message(1, 'x'.repeat(60_000));
    const channel = append(NEW_CHANNEL, [large, presence, message(2, 'x'.repeat(60_000)), message(3), presence], T);
    const bounds = { ...BOUNDS, packageBytes: 61_000 };
    expect(hrefs(packages(channel, { ...POLL_RULES, bounds }))).toEqual([['/m/1'], ['/m/2', '/m/3', '/p']]);
  });

  it('are delivered one by one when each of them is larger than a package', () => {
    const channel = append(
      NEW_CHANNEL,
      [1, 2, 3].map((number) => message(number, 'x'.repeat(150_000))),
      T,
    );
    expect(hrefs(packages(channel))).toEqual([['/m/1'], ['/m/2'], ['/m/3']]);
  });

  it('are delivered to a waiting poll, and to the next ones', () => {
    const waiting = poll(NEW_CHANNEL, { ack: 1, settings: {}, token: 'r.1' }, T).channel;
    const all = Array.from({ length: 600 }, (_, n) => contactIn(n, 1));
    const channel = append(waiting, all, T);
    const state = pollWaiterState(channel, 'r.1');
    if (state.kind !== 'package') throw new Error(state.kind);
    expect(eventsText([state.package.events, ...packages(channel)])).toBe(eventsText([all]));
  });

  it('can be withdrawn, as long as they wait', () => {
    const channel = append(
      NEW_CHANNEL,
      Array.from({ length: 40 }, (_, n) => message(n, 'x'.repeat(9_000))),
      T,
    );
    const receipt = { conversation: 'c', number: 7 };
    const without = withdrawEvent(channel, receipt);
    expect(without.takenBack).toEqual([receipt]);
    expect(hrefs(packages(without)).flat()).toEqual(
      Array.from({ length: 40 }, (_, n) => `/m/${n}`).filter((href) => href !== '/m/7'),
    );
    expect(withdrawEvent(without, receipt)).toBe(without);
    expect(withdrawEvent(channel, { conversation: 'other', number: 7 })).toBe(channel);
  });

  it('are all reported as lost when the channel overflows', () => {
    const full = append(
      NEW_CHANNEL,
      Array.from({ length: 40 }, (_, n) => message(n, 'x'.repeat(9_000))),
      T,
    );
    const after = append(full, [message(41)], T, { ...BOUNDS, events: 40 });
    expect(after).toMatchObject({ backlog: [], pending: [], last: 1 });
    const lost = [0, 39, 41].map((number) => ({ conversation: 'c', number }));
    expect(after.takenBack).toEqual(expect.arrayContaining(lost));
  });
});

describe('an incoming invitation', () => {
  it('is the first event of its package, whatever waits before it', () => {
    const channel = append(NEW_CHANNEL, [presence, message(1), ...invitation('a'), message(2), ...invitation('b')], T);
    expect(hrefs(packages(channel))).toEqual([
      ['/p', '/m/1'],
      ['/i/a', '/c/a', '/m/2'],
      ['/i/b', '/c/b'],
    ]);
  });

  it('does not wait longer because something is before it', () => {
    const waiting = poll(NEW_CHANNEL, { ack: 1, settings: {}, token: 'r.1' }, T).channel;
    const channel = append(append(waiting, [presence], T), invitation('a'), T + 1);
    expect(hrefs(packages(channel))).toEqual([['/i/a', '/c/a']]);
  });

  it('does not split a package when it is the invitation of the client itself', () => {
    const channel = append(NEW_CHANNEL, [presence, ...invitation('a', 'Outgoing')], T);
    expect(hrefs(packages(channel))).toEqual([['/p', '/i/a', '/c/a']]);
  });
});
