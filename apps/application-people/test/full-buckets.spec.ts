import { bucketLimits } from '@ringdown/contracts/bucket-limits';
import { Bus, BusFull } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { hash } from 'node:crypto';
import { Applications } from '../src/sessions/applications.js';
import { MessagingWorld } from './messaging-world.js';

/** The smallest possible: two MiB for each of these buckets. */
const STATE_MAX_BYTES = 16_777_216;
const HOUR_MS = 60 * 60 * 1000;

/** Until not even a small entry fits. */
async function fill(bus: Bus, name: string): Promise<void> {
  const bucket = await Bucket.open({ bus, name, maxAgeMs: 0, parse: String, role: 'user' });
  for (const size of [65_536, 1_024, 1]) {
    const value = 'x'.repeat(size);
    for (let n = 0; await isStored(bucket.put(`filler.${size}-${n}`, value)); n++);
  }
}

async function isStored(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof BusFull) return false;
    throw error;
  }
}

describe('without room for another message that can be read again', () => {
  let world: MessagingWorld;

  beforeAll(async () => {
    world = await MessagingWorld.start({ STATE_MAX_BYTES: String(STATE_MAX_BYTES) });
  });
  afterAll(() => world.stop());

  it('a message is delivered and confirmed all the same, and its link leads nowhere', async () => {
    const [alice, bob] = [await world.device('alice'), await world.device('bob')];
    const [atAlice] = await world.talking(alice, bob, 'bob');
    await fill(await world.replicas.bus(), 'MESSAGES');
    const sent = await alice.sendMessage(atAlice, 'no copy of this');
    const { link } = await bob.received('no copy of this');
    const isSent = (event: { link: { href: string } }): boolean => event.link.href === sent;
    expect(await alice.inbox.until('message', 'completed', isSent)).toMatchObject({ status: 'Success' });
    expect((await bob.client.get(link.href)).status).toBe(404);
  });
});

describe('without room for the time at which an application was used', () => {
  const started = new Started();
  afterAll(() => started.stopAll());

  it('the application can be used all the same', async () => {
    const nats = started.add(await startNats());
    const limits = bucketLimits(STATE_MAX_BYTES);
    const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger(), limits });
    started.add({ stop: () => bus.close() });
    const createdAt = 1e12;
    const applications = await Applications.open({ bus, perUser: 50, now: () => createdAt + 2 * HOUR_MS });
    const ids = Array.from({ length: 20 }, (_, n) => String(100_000_000_000 + n));
    const stored = ids.map(
      (id) => `{"id":"${id}","endpointId":"${id}","culture":"","userAgent":"","usedAt":1e12,"createdAt":1e12}`,
    );
    // A full bucket accepts a change that makes an entry smaller: written again, these times have nine digits more.
    const key = `own.${hash('sha256', 'alice@example.test')}`;
    await bus.js.publish(`$KV.APPLICATIONS.${key}`, `{"applications":[${stored.join(',')}],"ended":[]}`);
    await fill(bus, 'APPLICATIONS');
    const [id = ''] = ids;
    const found = { id, username: 'alice@example.test', usedAt: createdAt };
    expect(await applications.find(id, 'alice@example.test')).toMatchObject(found);
    expect(await applications.findCached(id, 'alice@example.test')).toMatchObject(found);
    const wanted = {
      username: 'bob@example.test',
      endpointId: '1',
      culture: '',
      userAgent: '',
      type: 'Browser',
    } as const;
    await expect(applications.createOrUpdate(wanted, null)).rejects.toThrow(BusFull);
  });
});
