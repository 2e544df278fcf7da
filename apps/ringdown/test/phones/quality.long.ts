import { setTimeout as sleep } from 'node:timers/promises';
import { PhoneSystem } from './phone-system.js';
import type { Phone } from './phone.js';
import { receivedLoss, partyVerdicts, type ViewedCall } from './viewed-call.js';

/** Five reports of baresip: the first three have the 500 packets that a verdict needs, and some reports are lost, too. */
const JUDGED_MS = 27_000;
const DELAY_MS = 300;

/** What `npm run test:phones` runs beside the short form in phones.spec.ts. The calls take place at the same time. */
describe('the quality of calls of phones', () => {
  let system: PhoneSystem;
  const phones = new Map<string, Phone>();
  const calls = new Map<string, ViewedCall>();

  function phone(user: string): Phone {
    const found = phones.get(user);
    if (!found) throw new Error(`no phone was started for ${user}`);
    return found;
  }

  function callOf(user: string): ViewedCall {
    const found = calls.get(user);
    if (!found) throw new Error(`${user} has not called`);
    return found;
  }

  async function talk(caller: string, callee: string): Promise<void> {
    const callId = await phone(caller).talkTo(phone(callee));
    await sleep(JUDGED_MS);
    await phone(caller).hangUp();
    calls.set(caller, await system.calls.settled(callId));
  }

  beforeAll(async () => {
    system = await PhoneSystem.start({ home: 5, outside: 3 });
    for (const [n, user] of ['anna', 'ben', 'cleo', 'gwen'].entries()) {
      phones.set(user, await system.phoneAtHome(user, n));
    }
    for (const [n, user] of ['dan', 'eva'].entries()) phones.set(user, await system.phoneOutside(user, n));
    phones.set('ida', await system.phoneAtHome('ida', 4, { media: 'Opus, RTCP multiplexed' }));
    phones.set('hugo', await system.phoneOutside('hugo', 2, { media: 'Opus, RTCP multiplexed' }));
    const { network } = system;
    await network.delayTowards(phone('eva').place, DELAY_MS);
    await network.lose('to', phone('cleo').place, '15 % at random');
    await network.lose('from', phone('gwen').place, '15 % at random');
    await network.lose('to', phone('ida').place, '15 % at random');
    await Promise.all([talk('ben', 'eva'), talk('dan', 'cleo'), talk('gwen', 'anna'), talk('ida', 'hugo')]);
  });

  afterAll(() => system?.stop());

  it('has the round trip of a delay, and no loss from reordering', () => {
    const call = callOf('ben');
    expect(call).toMatchObject({ verdict: 'poor', coverage: 'both', cause: { metric: 'RoundTrip' } });
    expect(receivedLoss(call, phone('ben').uri)).toBe(0);
    // A packet that is still on its way when the phone reports counts as lost until the next report.
    expect(receivedLoss(call, phone('eva').uri)).toBeLessThan(0.01);
    for (const { metrics } of call.quality) {
      const roundTrip = metrics['RoundTrip']?.value ?? 0;
      expect(roundTrip).toBeGreaterThanOrEqual(DELAY_MS);
      expect(roundTrip).toBeLessThan(DELAY_MS + 150);
    }
  });

  it('is bad at the callee at home if the packets to it are lost', () => {
    const call = callOf('dan');
    expect(call).toMatchObject({ verdict: 'bad', coverage: 'both', cause: { metric: 'PacketLossRate' } });
    expect(partyVerdicts(call)).toEqual({ [phone('cleo').uri]: 'bad', [phone('dan').uri]: 'good' });
  });

  it('is bad at the other side if the packets from a phone are lost, with both of them behind the same router', () => {
    const call = callOf('gwen');
    expect(call).toMatchObject({ verdict: 'bad', coverage: 'both', cause: { metric: 'PacketLossRate' } });
    expect(partyVerdicts(call)).toEqual({ [phone('gwen').uri]: 'good', [phone('anna').uri]: 'bad' });
  });

  it('is that of each direction with Opus and RTCP at the port of RTP', () => {
    const call = callOf('ida');
    expect(call).toMatchObject({ verdict: 'bad', coverage: 'both', cause: { metric: 'PacketLossRate' } });
    expect(partyVerdicts(call)).toEqual({ [phone('ida').uri]: 'bad', [phone('hugo').uri]: 'good' });
    expect(call.quality.flatMap(({ codecs }) => codecs.map(({ name }) => name))).toEqual(Array(2).fill('opus/48000'));
  });
});
