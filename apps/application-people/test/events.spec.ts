import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { shortestMs } from '@ringdown/testing/timing';
import { channelKey } from '../src/events/channel-key.js';
import { ChannelStore } from '../src/events/channel-store.js';
import type { EventChannels } from '../src/events/event-channels.js';
import type { SessionEvent } from '../src/events/session-event.js';
import { TwoReplicas } from './two-replicas.js';
import { resourceHref, type AnyResource, type WebClient } from './web-client.js';

let world: TwoReplicas;
let alice: WebClient;
let bob: WebClient;
let channels: EventChannels;

beforeAll(async () => {
  world = await TwoReplicas.start(
    [
      { user: 'alice', name: 'Alice Archer' },
      { user: 'bob', name: 'Bob Baker' },
    ],
    { APPLICATIONS_PER_USER: '40' },
  );
  alice = await world.user('alice');
  bob = await world.user('bob');
  channels = await world.channels();
});
afterAll(() => world.stop());

interface Events {
  readonly _links: Readonly<Record<'self' | 'next' | 'resync' | 'resume', { readonly href: string } | undefined>>;
  readonly sender: readonly { readonly href: string; readonly events: readonly { link: { href: string } }[] }[];
}

function message(n: number): SessionEvent {
  const sender = { rel: 'conversation', href: '/c/1' };
  return { sender, type: 'completed', link: { rel: 'message', href: `/c/1/m/${n}` }, status: 'Success' };
}

const presence: SessionEvent = {
  sender: { rel: 'me', href: '/me' },
  type: 'updated',
  link: { rel: 'presence', href: '/me/presence' },
};

async function events(response: Response | Promise<Response>): Promise<Events> {
  const answered = await response;
  expect([answered.status, answered.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  return (await answered.json()) as Events;
}

function hrefs({ sender }: Events): readonly string[] {
  return sender.flatMap((block) => block.events.map(({ link }) => link.href));
}

function eventsLinks({ _links: links }: Events): Events['_links'] {
  return links;
}

function nextOf(answer: Events): string {
  const { href = 'none' } = eventsLinks(answer).next ?? {};
  return href;
}

/** A session and the path of its first package. */
async function session(endpointId: string, client = alice): Promise<{ id: string; path: string; self: string }> {
  const application = await client.create(endpointId);
  return { id: application.id ?? '', path: resourceHref(application, 'events'), self: resourceHref(application) };
}

/** Resolves when the poll waits, which is read from its channel. */
async function parked(id: string, priority = 0): Promise<void> {
  await eventually('the poll to wait', async () => {
    const { waiter } = await channels.read(channelKey(id, null));
    return waiter !== null && waiter.priority === priority;
  });
}

async function tokenOfWaiter(id: string): Promise<string | undefined> {
  return (await channels.read(channelKey(id, null))).waiter?.token;
}

describe('the event channel of a session', () => {
  it('is linked in the application and delivers events immediately, through any replica', async () => {
    const { id, path } = await session('delivery');
    expect(path).toBe(`/uc/v1/applications/${id}/events?ack=1`);
    const polling = events(alice.at(world.other).get(path));
    await parked(id);
    await channels.append(channelKey(id, null), [message(1)]);
    const first = await polling;
    expect(first).toEqual({
      _links: { self: { href: path }, next: { href: path.replace('ack=1', 'ack=2') } },
      sender: [
        {
          rel: 'conversation',
          href: '/c/1',
          events: [{ link: { rel: 'message', href: '/c/1/m/1' }, status: 'Success', type: 'completed' }],
        },
      ],
    });
    await channels.append(channelKey(id, null), [message(2), presence, message(3)]);
    const second = await events(alice.get(nextOf(first)));
    expect(second.sender.map(({ href }) => href)).toEqual(['/c/1', '/me', '/c/1']);
    expect(hrefs(second)).toEqual(['/c/1/m/2', '/me/presence', '/c/1/m/3']);
  });

  it('is returned in XML when requested', async () => {
    const { id, path } = await session('xml');
    const embedded = { rel: 'contact', href: '/p/a@b', properties: { name: 'A & B' } };
    await channels.append(channelKey(id, null), [
      {
        sender: { rel: 'people', href: '/p' },
        type: 'added',
        link: { rel: 'contact', href: '/p/a@b', title: 'A & B' },
        in: { rel: 'myContacts', href: '/p/contacts' },
        embedded,
      },
      { ...message(1), status: 'Failure', reason: { code: 'LocalFailure', subcode: 'Timeout' } },
    ]);
    const accept = 'application/vnd.ringdown.uc+xml';
    const response = await alice.get(path, { accept });
    expect(response.headers.get('content-type')).toBe(`${accept}; charset=utf-8`);
    expect(await response.text()).toBe(
      `<?xml version="1.0" encoding="utf-8"?><events href="${path}" xmlns="urn:ringdown:uc:v1">` +
        `<link rel="next" href="${path.replace('ack=1', 'ack=2')}"/>` +
        '<sender rel="people" href="/p"><added rel="contact" href="/p/a@b" title="A &amp; B">' +
        '<in rel="myContacts" href="/p/contacts"/>' +
        '<resource rel="contact" href="/p/a@b"><property name="name">A &amp; B</property></resource></added></sender>' +
        '<sender rel="conversation" href="/c/1"><completed rel="message" href="/c/1/m/1" status="Failure">' +
        '<reason><code>LocalFailure</code><subcode>Timeout</subcode></reason></completed></sender></events>',
    );
  });

  it('delivers a package again until it is acknowledged, and is linked at the current package', async () => {
    const { id, path, self } = await session('replay');
    await channels.append(channelKey(id, null), [message(1)]);
    const first = await events(alice.get(path));
    await channels.append(channelKey(id, null), [message(2)]);
    expect(await events(alice.at(world.other).get(path))).toEqual(first);
    expect(resourceHref(await alice.read(self), 'events')).toBe(path);
    expect(hrefs(await events(alice.get(nextOf(first))))).toEqual(['/c/1/m/2']);
    expect(resourceHref(await alice.create('replay'), 'events')).toBe(nextOf(first));
  });

  it('refers a request for an unavailable package to the available one', async () => {
    const { path } = await session('resync');
    for (const ack of ['0', '-7', '2', '999999999999999']) {
      const answer = await events(alice.get(path.replace('ack=1', `ack=${ack}`)));
      expect(answer).toEqual({ _links: { resync: { href: path } }, sender: [] });
    }
    const xml = await alice.get(`${path}7`, { accept: 'application/xml' });
    expect(await xml.text()).toContain(`<link rel="resync" href="${path}"/></events>`);
    for (const query of ['ack=x', 'ack=1&low=soon', 'ack=1.5', 'ack=9999999999999999']) {
      const refused = await alice.get(path.replace('ack=1', query));
      expect([refused.status, await refused.json()]).toEqual([
        400,
        expect.objectContaining({ subcode: 'ParameterValidationFailure' }),
      ]);
    }
  });

  it.each(['the same replica', 'another replica'])('has one waiting poll: a newer one at %s ends it', async (where) => {
    const { id, path } = await session(`one waiter at ${where}`);
    const newer = where === 'the same replica' ? alice : alice.at(world.other);
    const older = alice.get(path);
    await parked(id);
    const token = await tokenOfWaiter(id);
    const polling = events(newer.get(path));
    const replaced = await older;
    expect([replaced.status, await replaced.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'Conflict', subcode: 'PGetReplaced' }),
    ]);
    expect(await tokenOfWaiter(id)).not.toBe(token);
    await channels.append(channelKey(id, null), [message(1)]);
    expect(hrefs(await polling)).toEqual(['/c/1/m/1']);
  });

  it('keeps a waiting poll of higher priority, unless its replica is gone', async () => {
    const { id, path } = await session('priority');
    const strong = alice.at(world.other).get(`${path}&priority=3`);
    await parked(id, 3);
    const weak = await alice.get(`${path}&priority=1`);
    expect([weak.status, await weak.json()]).toEqual([409, expect.objectContaining({ subcode: 'PGetReplaced' })]);
    const stronger = alice.get(`${path}&priority=4`);
    expect((await strong).status).toBe(409);
    await parked(id, 4);
    const key = channelKey(id, null);
    await channels.append(key, [message(1)]);
    expect((await stronger).status).toBe(200);
    // The state that a crashed replica leaves.
    const bus = await Bus.connect({ url: world.nats.peopleUrl, name: 'test', logger: quietLogger() });
    const lost = { token: 'crashed.1', priority: 9, until: Date.now() + 100_000, resume: false };
    const store = await ChannelStore.open(bus);
    await store.change(key, (channel) => ({ channel: { ...channel, waiter: lost }, result: undefined }));
    await bus.close();
    const next = events(alice.get(`${path.replace('ack=1', 'ack=2')}&priority=0`));
    await parked(id, 0);
    await channels.append(key, [message(2)]);
    expect(hrefs(await next)).toEqual(['/c/1/m/2']);
  });

  it('is accessible only to its owner, and only for existing sessions', async () => {
    const { path } = await session('owner');
    for (const other of [path.replace(/\d{24}/, '123456789012345678901234'), `${path}&instanceId=tab`]) {
      expect((await alice.get(other)).status).toBe(404);
    }
    const stranger = await bob.get(path);
    expect([stranger.status, await stranger.json()]).toEqual([
      404,
      expect.objectContaining({ subcode: 'ApplicationNotFound' }),
    ]);
    expect((await alice.get(path, { accept: 'image/png' })).status).toBe(406);
    expect((await alice.post(path)).status).toBe(405);
  });

  it('is separate for each tab', async () => {
    const [one, two] = [
      await alice.create('tabs', { instanceId: '1' }),
      await alice.create('tabs', { instanceId: '2' }),
    ];
    const { id = '' } = one;
    expect(resourceHref(two, 'events')).toBe(`/uc/v1/applications/${id}/events?ack=1&instanceId=2`);
    const polls = [one, two].map((tab) => events(alice.get(resourceHref(tab, 'events'))));
    for (const instance of ['1', '2']) await channels.append(channelKey(id, instance), [message(Number(instance))]);
    expect((await Promise.all(polls)).map((each) => hrefs(each))).toEqual([['/c/1/m/1'], ['/c/1/m/2']]);
    const closing = alice.get(resourceHref(two, 'events').replace('ack=1', 'ack=2'));
    await eventually('the poll to wait', async () => (await channels.read(channelKey(id, '2'))).waiter !== null);
    await alice.send('DELETE', resourceHref(two));
    expect((await closing).status).toBe(404);
    expect(await alice.read(`/uc/v1/applications/${id}`)).not.toHaveProperty('_links.events');
  });

  it('ends for the oldest tab when its client has too many', async () => {
    const { id = '', ...oldest } = await alice.create('many tabs', { instanceId: '0' });
    const poll = alice.get(resourceHref(oldest, 'events'));
    await eventually('the poll to wait', async () => (await channels.read(channelKey(id, '0'))).waiter !== null);
    for (let tab = 1; tab <= 20; tab++) await alice.create('many tabs', { instanceId: String(tab) });
    expect((await poll).status).toBe(404);
  });

  it('does not treat a package as delivered after a HEAD request', async () => {
    const { id, path } = await session('head');
    await channels.append(channelKey(id, null), [message(1)]);
    for (const ack of [1, 2]) expect((await alice.send('HEAD', path.replace('ack=1', `ack=${ack}`))).status).toBe(200);
    expect(hrefs(await events(alice.get(path)))).toEqual(['/c/1/m/1']);
  });
});

describe('a poll that waits', () => {
  it('is withdrawn when its client disconnects', async () => {
    const { id, path } = await session('hang up');
    const controller = new AbortController();
    const gone = fetch(alice.base + path, {
      headers: { authorization: `Bearer ${alice.token}` },
      signal: controller.signal,
    }).catch(() => 'gone');
    await parked(id);
    controller.abort();
    expect(await gone).toBe('gone');
    await eventually('the poll to be withdrawn', async () => (await tokenOfWaiter(id)) === undefined);
  });

  it.each<[string, (self: string) => Promise<unknown>, number, string]>([
    ['its client deletes it', (self) => alice.at(world.other).send('DELETE', self), 404, 'ApplicationNotFound'],
    [
      'the user starts too many others',
      async () => {
        for (let n = 0; n < 40; n++) await alice.create(`crowd ${n}`);
      },
      410,
      'TooManyApplications',
    ],
  ])('ends with its application when %s', async (_why, endIt, status, subcode) => {
    const { id, path, self } = await session(`ending ${status}`);
    const polling = alice.get(path);
    await parked(id);
    await endIt(self);
    const ended = await polling;
    expect([ended.status, await ended.json()]).toEqual([status, expect.objectContaining({ subcode })]);
  });

  it('ends immediately when its token is revoked', async () => {
    const carol = await world.user('bob');
    const { id, path } = await session('revoked', carol);
    const polling = carol.at(world.other).get(path);
    await parked(id);
    await world.revoke(carol);
    const ended = await polling;
    expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('OAuth href='),
    ]);
    await eventually('the poll to be withdrawn', async () => (await tokenOfWaiter(id)) === undefined);
    // With another token the session continues where it was.
    await channels.append(channelKey(id, null), [message(1)]);
    expect(hrefs(await events(bob.get(path)))).toEqual(['/c/1/m/1']);
  });

  it('ends at once when its replica stops, and continues at another', async () => {
    let tries = 0;
    const msToEnd = async (): Promise<number> => {
      const { id, path } = await session(`stop-${++tries}`);
      const polling = events(alice.at(world.other).get(path));
      await parked(id);
      const began = performance.now();
      const ended = polling.then(() => performance.now() - began);
      await world.restart(1);
      expect(await polling).toEqual({ _links: { self: { href: path }, next: { href: path } }, sender: [] });
      await channels.append(channelKey(id, null), [message(1)]);
      expect(hrefs(await events(alice.at(world.other).get(path)))).toEqual(['/c/1/m/1']);
      return ended;
    };
    expect(await shortestMs(5_000, msToEnd)).toBeLessThan(5_000);
  });

  it('receives its events although the bus was down in the meantime', async () => {
    const { id, path } = await session('bus');
    const polling = events(alice.get(path));
    await parked(id);
    await world.nats.kill();
    await world.nats.restart();
    await eventually('the bus to accept writes again', () =>
      channels.append(channelKey(id, null), [message(1)]).then(
        () => true,
        () => false,
      ),
    );
    expect(hrefs(await polling)).toEqual(['/c/1/m/1']);
  });
});

describe('events that were not fetched', () => {
  it('are still there after every service was stopped and the bus has crashed', async () => {
    // The test before stopped the bus, and not all of its clients reconnect at the same moment.
    const { id, path } = await eventually('all services to respond', () => session('durable').catch(() => false));
    await channels.append(channelKey(id, null), [message(1)]);
    const first = await events(alice.get(path));
    await channels.append(channelKey(id, null), [message(2)]);
    await world.restartAll();
    const back: AnyResource = await alice.at(world.replicas[0].base).create('durable');
    expect(resourceHref(back, 'events')).toBe(path);
    expect(await events(alice.at(world.replicas[0].base).get(path))).toEqual(first);
    expect(hrefs(await events(alice.at(world.other).get(nextOf(first))))).toEqual(['/c/1/m/2']);
  });
});
