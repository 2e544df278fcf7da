import { setTimeout as sleep } from 'node:timers/promises';
import { JUDGED_MS, PhoneSystem } from './phone-system.js';
import type { Phone } from './phone.js';
import { REDIRECT_PORT, startRedirect } from './sipp-redirect.js';
import { recordKindCounts, recordXml, sendingStates, partyVerdicts } from './viewed-call.js';

/** What `npm run test:phones` runs beside the short form in phones.spec.ts. */
describe('calls of phones behind NAT, in the whole form', () => {
  let system: PhoneSystem;
  let anna: Phone;
  let dan: Phone;
  let eva: Phone;

  beforeAll(async () => {
    system = await PhoneSystem.start({ home: 1, outside: 3 }, { moved: `203.0.113.18:${REDIRECT_PORT}` });
    anna = await system.phoneAtHome('anna', 0);
    dan = await system.phoneOutside('dan', 0);
    eva = await system.phoneOutside('eva', 1);
    await startRedirect(dan.place, eva.uri, system.folder);
  });

  afterAll(() => system?.stop());

  it('fail with 408 without an answer', async () => {
    const callId = await anna.dial('dan');
    await anna.on('CALL_CLOSED', callId);
    const call = await system.calls.until(callId, 'failed', ({ state }) => state === 'failed');
    expect(call.errors.map(({ code }) => code)).toEqual([408]);
    expect(Number(/<RingTime>(\d+)</.exec(recordXml(call, 'error'))?.[1])).toBeGreaterThan(6_000);
  });

  it('are those of the device that answers if several ring', async () => {
    const other = await system.phoneOutside('dan', 2);
    const callId = await anna.dial('dan');
    await dan.on('CALL_INCOMING', callId);
    await other.answer(callId);
    await dan.on('CALL_CLOSED', callId);
    await anna.on('CALL_ESTABLISHED', callId);
    await other.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', errors: [] });
    expect(sendingStates(call)).toEqual({ [anna.uri]: 'ended', [dan.uri]: 'ended' });
    expect(recordXml(call, 'start')).toContain(`@${other.place.address}:5060</Contact>`);
    await other.stop();
  });

  it('are linked to the call that a transfer (REFER) led to', async () => {
    const callId = await anna.talkTo(dan);
    await dan.transferTo('eva');
    const successor = await eva.incomingAfter([]);
    await eva.answer(successor);
    await eva.on('CALL_ESTABLISHED', successor);
    await dan.on('CALL_CLOSED', callId);
    await eva.hangUp();
    const [call, next] = [await system.calls.settled(callId), await system.calls.settled(successor)];
    expect(recordXml(call, 'bye')).toContain(
      `<TransferredTo>${eva.uri}</TransferredTo><TransferredBy>Callee</TransferredBy>`,
    );
    expect(call.linked).toMatchObject([{ callId: successor, by: ['conversation'] }]);
    expect(next.linked).toMatchObject([{ callId, by: ['conversation'] }]);
    expect(next.parties.map(({ uri }) => uri)).toEqual([anna.uri, eva.uri]);
  });

  it('report a redirection (302) and what it led to', async () => {
    const callId = await anna.dial('moved');
    await eva.answer(callId);
    await anna.on('CALL_ESTABLISHED', callId);
    await anna.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', errors: [] });
    expect(recordKindCounts(call)).toMatchObject({ invite: 3, start: 1, ended: 1, bye: 1 });
    expect(recordXml(call, 'invite', 2)).toContain(
      `<RedirectedFrom Code="302">${anna.uri.replace('anna', 'moved')}</RedirectedFrom><RedirectedTo>${eva.uri}<`,
    );
    expect(recordXml(call, 'start')).toContain(`<Contact>sip:eva-`);
  });

  it('have the quality from the next change on if the sender was killed in the middle of them', async () => {
    const callId = await anna.talkTo(dan);
    await system.calls.until(callId, 'active', ({ streams }) => streams.length === 2);
    await system.sender.end('SIGKILL');
    await sleep(2_000);
    await system.sender.start();
    await anna.hold();
    await anna.retrieve();
    await sleep(JUDGED_MS);
    await anna.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', partial: false, verdict: 'good', coverage: 'both' });
    expect(partyVerdicts(call)).toEqual({ [anna.uri]: 'good', [dan.uri]: 'good' });
    expect(recordKindCounts(call)).toMatchObject({ invite: 2, start: 1, ended: 1, bye: 1, qualityUpdate: 1 });
  });

  it('end with their BYE alone if the sender was killed in the middle of them', async () => {
    const dialledAt = Date.now();
    const callId = await anna.talkTo(dan);
    const answeredAt = Date.now();
    await system.calls.until(callId, 'active', ({ streams }) => streams.length === 2);
    await system.sender.end('SIGKILL');
    await system.sender.start();
    await sleep(JUDGED_MS);
    const talkedMs = Date.now() - answeredAt;
    await dan.hangUp();
    const call = await system.calls.settled(callId);
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: false, coverage: 'none' });
    // The answer was captured before the test saw it, and the BYE before the call was settled; in whole seconds.
    expect(call.duration?.seconds).toBeGreaterThanOrEqual(Math.floor(talkedMs / 1_000));
    expect(call.duration?.seconds).toBeLessThanOrEqual(Math.ceil((Date.now() - dialledAt) / 1_000));
    expect(recordKindCounts(call)).toEqual({ invite: 2, start: 1, bye: 1 });
  });

  it('are answered and end if the sender was killed while they rang', async () => {
    const callId = await anna.dial('dan');
    await system.calls.until(callId, 'ringing', ({ state }) => state === 'invited');
    await system.sender.end('SIGKILL');
    await system.sender.start();
    await dan.answer(callId);
    await system.calls.until(callId, 'active', ({ state }) => state === 'active');
    await anna.hangUp();
    const call = await system.calls.settled(callId);
    // From the answer alone it is not known whether it started the call.
    expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: true, duration: null });
    expect(recordKindCounts(call)).toEqual({ invite: 2, update: 1, ended: 1, bye: 1 });
  });
});
