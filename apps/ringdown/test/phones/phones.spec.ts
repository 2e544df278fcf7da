import { setTimeout as sleep } from 'node:timers/promises';
import type { LossRule } from './phone-network.js';
import { JUDGED_MS, PhoneSystem } from './phone-system.js';
import type { Phone } from './phone.js';
import { recordKindCounts, receivedLoss, sendingStates, partyVerdicts } from './viewed-call.js';

/** Phone, router with NAT and loss, Kamailio, rtpengine, other phone; HEP to the sender; what an operator sees of it. */
describe('calls of phones behind NAT', () => {
  let system: PhoneSystem;
  let anna: Phone;
  let ben: Phone;
  let cleo: Phone;
  let dan: Phone;
  let eva: Phone;
  let finn: Phone;

  beforeAll(async () => {
    system = await PhoneSystem.start({ home: 3, outside: 3 });
    [anna, ben, cleo] = [
      await system.phoneAtHome('anna', 0),
      await system.phoneAtHome('ben', 1),
      await system.phoneAtHome('cleo', 2),
    ];
    [dan, eva, finn] = [
      await system.phoneOutside('dan', 0),
      await system.phoneOutside('eva', 1),
      await system.phoneOutside('finn', 2),
    ];
  });

  afterAll(() => system?.stop());

  it('are good, poor and bad by 0, 5 and 15 % loss towards the phone at home, and good at the other side', async () => {
    const pairs: readonly (readonly [Phone, Phone, LossRule])[] = [
      [anna, dan, 'none'],
      [ben, eva, 'one of 20'],
      [cleo, finn, '15 % at random'],
    ];
    const talk = async ([caller, callee, rule]: (typeof pairs)[number]): Promise<string> => {
      await system.network.lose('to', caller.place, rule);
      const callId = await caller.talkTo(callee);
      await sleep(JUDGED_MS);
      await caller.hangUp();
      return callId;
    };
    const callIds = await Promise.all(pairs.map(talk));
    const calls = await Promise.all(callIds.map((callId) => system.calls.settled(callId)));
    expect(calls.map(({ state, coverage, verdict }) => ({ state, coverage, verdict }))).toEqual([
      { state: 'ended', coverage: 'both', verdict: 'good' },
      { state: 'ended', coverage: 'both', verdict: 'poor' },
      { state: 'ended', coverage: 'both', verdict: 'bad' },
    ]);
    expect(calls.map(partyVerdicts)).toEqual([
      { [anna.uri]: 'good', [dan.uri]: 'good' },
      { [ben.uri]: 'poor', [eva.uri]: 'good' },
      { [cleo.uri]: 'bad', [finn.uri]: 'good' },
    ]);
    expect(calls.map((call, n) => receivedLoss(call, [dan, eva, finn][n]?.uri))).toEqual([0, 0, 0]);
    const [none, some, much] = calls.map((call, n) => receivedLoss(call, [anna, ben, cleo][n]?.uri));
    expect(none).toBe(0);
    expect(some).toBeCloseTo(0.05, 2);
    expect(Math.abs((much ?? 0) - 0.15)).toBeLessThan(0.06);
    expect(calls.map(({ duration }) => Math.round((duration?.seconds ?? 0) / 10))).toEqual([2, 2, 2]);
  });

  it('fail with 486 if the callee rejects, and with 487 if the caller cancels', async () => {
    const rejected = await anna.dial('dan');
    await dan.on('CALL_INCOMING', rejected);
    await dan.hangUp();
    await anna.on('CALL_CLOSED', rejected);
    const cancelled = await anna.dial('eva');
    await eva.on('CALL_INCOMING', cancelled);
    await anna.hangUp();
    await eva.on('CALL_CLOSED', cancelled);
    for (const [callId, code] of [
      [rejected, 486],
      [cancelled, 487],
    ] as const) {
      const call = await system.calls.until(callId, 'failed', ({ state }) => state === 'failed');
      expect(call.errors.map((error) => error.code)).toEqual([code]);
      expect(call).toMatchObject({ streams: [], verdict: 'unknown', coverage: 'none', partial: false });
    }
  });

  it('are held and retrieved', async () => {
    const callId = await anna.talkTo(dan);
    const held = await system.holdAndRetrieve(anna, callId);
    // Who holds may send music.
    expect(sendingStates(held)).toEqual({ [anna.uri]: 'active', [dan.uri]: 'held' });
    await anna.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: false });
    expect(sendingStates(call)).toEqual({ [anna.uri]: 'ended', [dan.uri]: 'ended' });
  });

  it('continue and end once if the sender is killed and started again in the middle of them', async () => {
    const callId = await anna.talkTo(dan);
    await system.calls.until(callId, 'active', ({ streams }) => streams.length === 2);
    await system.sender.end('SIGKILL');
    await system.sender.start();
    await system.holdAndRetrieve(dan, callId);
    await dan.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: false });
    expect(sendingStates(call)).toEqual({ [anna.uri]: 'ended', [dan.uri]: 'ended' });
    // The first of them is without the password.
    expect(recordKindCounts(call)).toMatchObject({ invite: 2, start: 1, update: 2, ended: 1, bye: 1 });
  });
});
