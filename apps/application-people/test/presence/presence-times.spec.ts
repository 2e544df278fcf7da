import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { channelKey } from '../../src/events/channel-key.js';
import type { EventChannels } from '../../src/events/event-channels.js';
import { PresenceBucket } from '../../src/presence-store/presence-bucket.js';
import { PresenceStore } from '../../src/presence-store/presence-store.js';
import { eventsFor } from '../session-events.js';
import { TwoReplicas } from '../two-replicas.js';
import { resourceHref, embeddedMe, type AnyResource, type WebClient } from '../web-client.js';

let world: TwoReplicas;
let channels: EventChannels;
let looking: WebClient;
let people: string;

beforeAll(async () => {
  world = await TwoReplicas.start(
    ['alice', 'bob', 'carl', 'dora', 'emil', 'fred'].map((user) => ({ user, name: user })),
    // Longer than an active user has to wait on a busy machine.
    { APPLICATION_POLL_GAP_SECONDS: '8', APPLICATION_INACTIVE_SECONDS: '8', PRESENCE_AWAY_SECONDS: '3600' },
  );
  channels = await world.channels();
  const alice = await world.user('alice');
  looking = alice.at(world.other);
  people = `${resourceHref(await alice.create('looks'))}/people`;
});
afterAll(() => world.stop());

async function availabilityOf(user: string): Promise<unknown> {
  const { availability } = Object(await looking.read(`${people}/${user}@example.test/presence`));
  return availability;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function available(user: string, client: WebClient): Promise<AnyResource> {
  const application = await client.create(`times-${user}`);
  await makeAvailable(client, application);
  return application;
}

async function makeAvailable(client: WebClient, application: AnyResource): Promise<void> {
  const input = { inactiveTimeout: '00:00:02' };
  expect((await client.post(resourceHref(embeddedMe(application), 'makeMeAvailable'), input)).status).toBe(204);
}

describe('inactive users', () => {
  it('are shown as idle until they are active again; a waiting poll keeps their session', async () => {
    const bob = await world.user('bob');
    const application = await bob.create('times-bob');
    const { id = '' } = application;
    const hangUp = new AbortController();
    const poll = fetch(`${world.other}${resourceHref(application, 'events')}&medium=1800`, {
      headers: { authorization: `Bearer ${bob.token}` },
      signal: hangUp.signal,
    });
    await eventually('the poll to wait', async () => (await channels.read(channelKey(id, null))).waiter !== null);
    await makeAvailable(bob, application);
    await eventually('bob to be idle', async () => (await availabilityOf('bob')) === 'IdleOnline');
    await eventually('the event to be delivered', async () =>
      (await eventsFor(channels, id)).includes('updated presence /me/presence'),
    );
    // Long enough for a session without polls to end.
    const carl = await world.user('carl');
    await available('carl', carl);
    await eventually('carl to be gone', async () => (await availabilityOf('carl')) === 'Offline');
    expect(await availabilityOf('bob')).toBe('IdleOnline');
    await eventually('bob to be online', async () => {
      await bob.post(`${resourceHref(application)}/reportMyActivity`);
      return (await availabilityOf('bob')) === 'Online';
    });
    hangUp.abort();
    await expect(poll).rejects.toThrow('abort');
  });

  it('lose their session when their client neither polls nor reports activity, and the client is notified', async () => {
    const dora = await world.user('dora');
    const application = await available('dora', dora);
    await eventually('dora to be gone', async () => (await availabilityOf('dora')) === 'Offline');
    const answer = await dora.get(resourceHref(application));
    expect([answer.status, await answer.json()]).toEqual([
      410,
      expect.objectContaining({ code: 'Gone', subcode: 'InactiveApplicationExpired' }),
    ]);
  });
});

describe('a tab that is opened after a time without activity', () => {
  it('is not taken for inactive before its first poll', async () => {
    const fred = await world.user('fred');
    const first = await fred.create('times-fred', { instanceId: '1' });
    const hangUp = new AbortController();
    const poll = fetch(`${fred.base}${resourceHref(first, 'events')}&medium=1800`, {
      headers: { authorization: `Bearer ${fred.token}` },
      signal: hangUp.signal,
    });
    const { id = '' } = first;
    await eventually('the poll to wait', async () => (await channels.read(channelKey(id, '1'))).waiter !== null);
    await makeAvailable(fred, first);
    await pause(8_500);
    const second = await fred.create('times-fred', { instanceId: '2' });
    // Clients are checked every two seconds.
    await pause(3_000);
    expect((await fred.get(resourceHref(second))).status).toBe(200);
    hangUp.abort();
    await expect(poll).rejects.toThrow('abort');
  });
});

describe('a change of presence whose replica has crashed before it notified watchers', () => {
  it('is reported by another replica', async () => {
    const emil = await world.user('emil');
    const { id = '' } = await emil.create('lurks');
    const store = new PresenceStore(await PresenceBucket.open(await world.bus(), quietLogger()));
    const client = {
      device: 'Web',
      modalities: [],
      messageFormats: [],
      phoneNumber: null,
      audioPreference: null,
    } as const;
    const activeAt = Date.now();
    await store.change({ sipAddress: 'sip:emil@example.test', username: 'emil@example.test' }, (before) => ({
      ...before,
      clients: { [id]: { ...client, inactiveMs: 60_000, activeAt, since: 1 } },
      activeAt,
      shown: { availability: 'Online', activity: 'Available', device: 'Web' },
      version: 1,
      changed: { presence: 1 },
    }));
    await eventually('the events to be delivered', async () => (await eventsFor(channels, id)).length > 0);
    expect(await eventsFor(channels, id)).toContain('added presence /me/presence');
  });
});
