import { PhoneSystem } from './phone-system.js';
import {
  CONSULTATION,
  MEDIA_PORT,
  REPLACING,
  startAttendedTransfer,
  TARGET,
  TRANSFEREE,
  TRANSFEROR,
  TRANSFERRED,
  TRANSFER_PORT,
  transferUserUri,
} from './sipp-attended-transfer.js';
import { recordXml, partyVerdicts } from './viewed-call.js';

/** Phones with public addresses, Kamailio and rtpengine; HEP to the sender; what an operator sees of it. */
describe('an attended transfer (REFER with Replaces)', () => {
  let system: PhoneSystem;

  beforeAll(async () => {
    system = await PhoneSystem.start(
      { home: 0, outside: 3 },
      { [TRANSFEROR]: `203.0.113.22:${TRANSFER_PORT}`, [TARGET]: `203.0.113.26:${TRANSFER_PORT}` },
    );
  });

  afterAll(() => system?.stop());

  it('links the three calls, and each of them has its own end and quality', async () => {
    const [transferee, transferor, target] = system.network.outside;
    if (!transferee || !transferor || !target) throw new Error('the network has too few places');
    await startAttendedTransfer({ transferee, transferor, target }, system.folder);
    await system.calls.until(REPLACING, 'active', ({ state, streams }) => state === 'active' && streams.length === 2);
    // sipp sends no RTCP.
    await system.report(REPLACING, { ip: transferee.address, port: MEDIA_PORT });
    const callIds = [TRANSFERRED, CONSULTATION, REPLACING];
    const calls = await Promise.all(callIds.map((callId) => system.calls.settled(callId)));
    const people = [TRANSFEREE, TRANSFEROR, TARGET].map(transferUserUri);
    expect(calls.map(({ parties }) => parties.map(({ uri }) => uri))).toEqual([
      [people[0], people[1]],
      [people[1], people[2]],
      [people[0], people[2]],
    ]);
    for (const call of calls)
      expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: false, errors: [] });
    expect(calls.map(({ verdict, coverage }) => ({ verdict, coverage }))).toEqual([
      { verdict: 'unknown', coverage: 'none' },
      { verdict: 'unknown', coverage: 'none' },
      { verdict: 'bad', coverage: 'one' },
    ]);
    const [first, second, third] = calls;
    for (const call of calls) {
      const others = callIds.filter((callId) => callId !== call.callId);
      expect(call.linked.map(({ callId }) => callId).toSorted()).toEqual(others.toSorted());
      expect(call.conversationId).toBe(first?.conversationId);
    }
    expect(first && recordXml(first, 'bye')).toContain(
      `<TransferredTo>${people[2]}</TransferredTo><TransferredBy>Callee</TransferredBy>`,
    );
    expect(second && recordXml(second, 'bye')).toContain('<EndedBy>Callee</EndedBy>');
    expect(third && recordXml(third, 'start')).toContain(`>${CONSULTATION};to-tag=`);
    expect(third && recordXml(third, 'start')).toContain(people[1]);
    expect(third && partyVerdicts(third)).toEqual({ [people[0] ?? '']: 'bad' });
  });
});
