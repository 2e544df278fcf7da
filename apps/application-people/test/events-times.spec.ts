import { eventually } from '@ringdown/testing/eventually';
import { channelKey } from '../src/events/channel-key.js';
import type { EventChannels } from '../src/events/event-channels.js';
import { TwoReplicas } from './two-replicas.js';
import { resourceHref, type WebClient } from './web-client.js';

let world: TwoReplicas;
let alice: WebClient;
let channels: EventChannels;

beforeAll(async () => {
  world = await TwoReplicas.start([{ user: 'alice', name: 'Alice Archer' }], {
    EVENTS_MAX_WAIT_SECONDS: '1',
    APPLICATION_POLL_GAP_SECONDS: '3',
  });
  alice = await world.user('alice');
  channels = await world.channels();
});
afterAll(() => world.stop());

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('a poll that waits until its timeout', () => {
  it('is answered without events, and the same package is next', async () => {
    const path = resourceHref(await alice.create('timeout'), 'events');
    const began = Date.now();
    const answer = await alice.get(path);
    expect(Date.now() - began).toBeGreaterThan(990);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { _links: { self: { href: path }, next: { href: path } }, sender: [] },
    ]);
  });

  it('is answered in the same way in XML', async () => {
    const path = resourceHref(await alice.create('timeout in XML'), 'events');
    const xml = await alice.at(world.other).get(path, { accept: 'application/xml' });
    expect(await xml.text()).toContain(`<link rel="next" href="${path}"/></events>`);
  });
});

describe('a poll that ends with its token', () => {
  it('does not wait in its channel any more, so that no event is delivered to it', async () => {
    const { id = '' } = await alice.create('expired token');
    const key = channelKey(id, null);
    const expiresAt = Date.now() + 500;
    const { answer } = channels.poll({ key, ack: 1, settings: {}, tokenHash: 'hash', expiresAt });
    expect(await answer).toEqual({ kind: 'timeout', number: 1, resume: false });
    await eventually('the poll to be withdrawn', async () => (await channels.read(key)).waiter === null);
  });
});

describe('a client that polls again', () => {
  it('after a while has to start over, and receives the events of the meantime', async () => {
    let tries = 0;
    const comesBack = async (): Promise<boolean> => {
      const application = await alice.create(`resume-${++tries}`);
      const path = resourceHref(application, 'events');
      await alice.get(path);
      await channels.append(channelKey(application.id ?? '', null), [
        { sender: { rel: 'me', href: '/me' }, type: 'updated', link: { rel: 'message', href: '/m' } },
      ]);
      await pause(2_100);
      const answer = await alice.get(path);
      // On a busy machine the client may poll a second late.
      if (answer.status === 410) return false;
      const next = path.replace('ack=1', 'ack=2');
      expect(await answer.json()).toMatchObject({
        _links: { self: { href: path }, next: { href: next }, resume: { href: next } },
        sender: [{ events: [{ link: { href: '/m' } }] }],
      });
      const after = await alice.get(next);
      return after.status === 200 && !(await after.text()).includes('resume"');
    };
    expect(await eventually('a client that comes back in time', comesBack)).toBe(true);
  });

  it('too late finds its application ended, and creates another', async () => {
    const application = await alice.create('late');
    await alice.get(resourceHref(application, 'events'));
    await pause(3_100);
    for (const path of [resourceHref(application, 'events'), resourceHref(application)]) {
      const gone = await alice.at(world.other).get(path);
      expect([gone.status, await gone.json()]).toEqual([
        410,
        expect.objectContaining({ code: 'Gone', subcode: 'InactiveApplicationExpired' }),
      ]);
    }
    expect((await alice.create('late')).id).not.toBe(application.id);
  });

  it('without any earlier poll finds its application unchanged', async () => {
    const application = await alice.create('quiet');
    await pause(3_100);
    expect((await alice.get(resourceHref(application))).status).toBe(200);
  });
});
