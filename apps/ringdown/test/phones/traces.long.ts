import { eventually } from '@ringdown/testing/eventually';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byDirection, messagesIn, type WireMessage } from '../wire-messages.js';
import { PhoneSystem } from './phone-system.js';
import type { Phone } from './phone.js';
import { BACK_TO_BACK_PORT, outgoingCallId, startBackToBack } from './sipp-back-to-back.js';

/** A call with a password that rings, is answered and ends. */
const ANSWERED = ['100', '180', '200', '407', 'ACK', 'BYE', 'INVITE'];

describe('the messages of calls of phones', () => {
  let system: PhoneSystem;
  let wire: string;
  let anna: Phone;
  let dan: Phone;
  let eva: Phone;

  beforeAll(async () => {
    system = await PhoneSystem.start({ home: 2, outside: 2 }, { desk: `203.0.113.18:${BACK_TO_BACK_PORT}` });
    anna = await system.phoneAtHome('anna', 0);
    dan = await system.phoneOutside('dan', 0);
    eva = await system.phoneOutside('eva', 1);
    await startBackToBack(dan.place, [dan.user, eva.user], system.folder);
    wire = await system.capture();
  });

  afterAll(() => system?.stop());

  /** Of the call and all calls that are linked with it, as Wireshark reads them. */
  async function exported(callId: string): Promise<readonly WireMessage[]> {
    const path = `/api/calls/${encodeURIComponent(callId)}/messages.pcap?legs=all`;
    const file = join(system.folder, 'exported.pcap');
    writeFileSync(file, await system.bytes(path));
    return messagesIn(file);
  }

  /**
   * The file of each call has the messages of all of them, each once, as they were on the wire. Returns their methods and statuses,
   * by Call-ID.
   */
  async function sharedLadder(callIds: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
    for (const callId of callIds) {
      const [seen, found] = await eventually(`the same messages in the file of ${callId}`, async () => {
        const wired = (await messagesIn(wire)).filter((message) => callIds.includes(message.callId));
        const messages = await exported(callId);
        return messages.length === wired.length && ([wired, messages] as const);
      });
      expect(byDirection(found)).toEqual(byDirection(seen));
    }
    const messages = Map.groupBy(await exported(callIds[0] ?? ''), ({ callId }) => callId);
    return Object.fromEntries([...messages].map(([callId, own]) => [callId, messageKinds(own)]));
  }

  it('are in one file if the call was transferred', async () => {
    const callId = await anna.talkTo(dan);
    await dan.transferTo('eva');
    const successor = await eva.incomingAfter([]);
    await eva.answer(successor);
    await eva.on('CALL_ESTABLISHED', successor);
    await dan.on('CALL_CLOSED', callId);
    await eva.hangUp();
    for (const each of [callId, successor]) await system.calls.settled(each);
    const ladder = await sharedLadder([callId, successor]);
    expect(ladder[callId]).toEqual(expect.arrayContaining(['INVITE', 'REFER', 'NOTIFY', 'BYE']));
    expect(ladder[successor]).toEqual(expect.arrayContaining(ANSWERED));
  });

  it('are those on the wire if one phone uses TCP behind NAT and the other one UDP', async () => {
    const ben = await system.phoneAtHome('ben', 1, { transport: 'tcp' });
    for (const [caller, callee] of [
      [ben, dan],
      [dan, ben],
    ] as const) {
      const callId = await caller.talkTo(callee);
      await caller.hangUp();
      await callee.on('CALL_CLOSED', callId);
      const call = await system.calls.settled(callId);
      expect(call).toMatchObject({ state: 'ended', endReason: 'ended', partial: false, errors: [] });
      expect(call.parties.map(({ uri }) => uri)).toEqual([caller.uri, callee.uri]);
      expect(await sharedLadder([callId])).toEqual({ [callId]: ANSWERED });
      const sent = (await messagesIn(wire)).filter((message) => message.callId === callId);
      expect(new Set(sent.map(({ transport }) => transport))).toEqual(new Set(['tcp', 'udp']));
    }
  });

  it('are in one file if a back-to-back user agent called two phones for the caller', async () => {
    const callId = await anna.dial('desk');
    const [toDan, toEva] = [outgoingCallId(callId, 0), outgoingCallId(callId, 1)];
    await dan.on('CALL_INCOMING', toDan);
    await dan.hangUp();
    await eva.answer(toEva);
    await anna.on('CALL_ESTABLISHED', callId);
    await anna.hangUp();
    await eva.on('CALL_CLOSED', toEva);
    const legs = [callId, toDan, toEva];
    const ladder = await sharedLadder(legs);
    expect(ladder).toEqual({
      [callId]: ANSWERED,
      [toDan]: ['100', '180', '407', '486', 'ACK', 'INVITE'],
      [toEva]: ANSWERED,
    });
    const call = await system.calls.settled(callId);
    expect(call.linked.map((leg) => leg.callId).toSorted()).toEqual([toDan, toEva]);
    expect((await system.calls.settled(toEva)).parties.map(({ uri }) => uri)).toEqual([
      'sip:desk@ringdown.test',
      eva.uri,
    ]);
  });
});

/** Methods and statuses: `INVITE`, `200`. */
function messageKinds(messages: readonly WireMessage[]): readonly string[] {
  const kinds = messages.map(({ firstLine }) => /^(?:SIP\/2\.0 )?(\S+)/.exec(firstLine)?.[1] ?? '');
  return [...new Set(kinds)].toSorted();
}
