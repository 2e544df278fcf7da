import { Bus } from '@ringdown/nats';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { INVITATIONS, InvitationAllowances, WINDOW_MS } from '../src/messaging/guests/invitation-allowances.js';

describe('the invitations of a person', () => {
  const started = new Started();
  let now = 1_764_000_000_000;
  let replicas: readonly InvitationAllowances[];

  beforeAll(async () => {
    const nats = started.add(await startNats());
    const bus = await Bus.connect({ url: nats.peopleUrl, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const options = { bus, now: () => now };
    replicas = await Promise.all([InvitationAllowances.open(options), InvitationAllowances.open(options)]);
  });
  afterAll(() => started.stopAll());

  /** How many of these are admitted, sent at the same time through all replicas. */
  async function admitted(username: string, wanted: number): Promise<number> {
    const each = replicas.map((replica) =>
      Array.from({ length: wanted / replicas.length }, () => replica.admit(username)),
    );
    return (await Promise.all(each.flat())).filter(Boolean).length;
  }

  it('are limited for all replicas together, and allowed again with time', async () => {
    expect(await admitted('alice', INVITATIONS + 50)).toBe(INVITATIONS);
    expect(await admitted('bob', 2)).toBe(2);
    now += WINDOW_MS / 10;
    expect(await admitted('alice', INVITATIONS)).toBe(INVITATIONS / 10);
    now += 100 * WINDOW_MS;
    expect(await admitted('alice', INVITATIONS + 2)).toBe(INVITATIONS);
  });

  it('are still allowed after the clock was set back', async () => {
    expect(await admitted('carol', 2)).toBe(2);
    now -= WINDOW_MS;
    expect(await admitted('carol', INVITATIONS)).toBe(INVITATIONS - 2);
  });
});
