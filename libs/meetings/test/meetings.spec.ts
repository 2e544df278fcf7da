import { Bus } from '@ringdown/nats';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { conferenceUri, Meetings, parseConferenceUri } from '../src/index.js';

describe('meetings', () => {
  let nats: TestNats;
  let bus: Bus;
  let meetings: Meetings;
  let now = Date.now();
  const alice = 'sip:alice@example.test';

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    meetings = await Meetings.open({ bus, now: () => now });
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  it('are known to every service, by their organizer and an id that cannot be guessed', async () => {
    const made = await meetings.create({ organizer: alice, accessLevel: 'Everyone', subject: 'Lunch' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[A-Z2-9]{16}$/),
      organizer: alice,
      accessLevel: 'Everyone',
      subject: 'Lunch',
      createdAt: now,
    });
    const elsewhere = await Meetings.open({ bus });
    expect(await elsewhere.find(alice.toUpperCase(), made.id.toLowerCase())).toEqual(made);
    expect(await elsewhere.find('sip:bob@example.test', made.id)).toBeUndefined();
    expect(await elsewhere.find(alice, '*')).toBeUndefined();
  });

  it('are listed for their organizer only, and not found after deletion', async () => {
    const carol = 'sip:carol@example.test';
    const first = await meetings.create({ organizer: carol, accessLevel: 'Everyone' });
    now += 1;
    const second = await meetings.create({ organizer: carol, accessLevel: 'Locked', description: 'Do not disturb' });
    expect(await meetings.of(carol)).toEqual([first, second]);
    expect(await meetings.delete(carol, first.id)).toBe(true);
    expect(await meetings.delete(carol, first.id)).toBe(false);
    expect(await meetings.of(carol)).toEqual([second]);
    expect(await meetings.of('sip:dora@example.test')).toEqual([]);
  });

  it('are not found after their end', async () => {
    const made = await meetings.create({ organizer: alice, accessLevel: 'Everyone', expiresAt: now + 1_000 });
    now += 999;
    expect(await meetings.find(alice, made.id)).toEqual(made);
    now += 1;
    expect(await meetings.find(alice, made.id)).toBeUndefined();
    expect(await meetings.of(alice)).not.toContainEqual(made);
  });

  it('have an address of the form that clients know', () => {
    const uri = conferenceUri({ organizer: alice, id: 'ABC123' });
    expect(uri).toBe('sip:alice@example.test;gruu;opaque=app:conf:focus:id:ABC123');
    expect(parseConferenceUri(` ${uri.replace('alice', 'ALICE')} `)).toEqual({ organizer: alice, id: 'ABC123' });
    for (const wrong of ['', alice, uri.slice(0, -6), `${uri} x`, uri.replace('sip:', ''), `${uri}*`]) {
      expect([wrong, parseConferenceUri(wrong)]).toEqual([wrong, undefined]);
    }
  });
});
