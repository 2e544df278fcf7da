import { eventually } from '@ringdown/testing';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { byDirection, messagesIn, type WireMessage } from '../wire-messages.js';
import { PhoneSystem } from './phone-system.js';
import type { Phone } from './phone.js';

describe('the messages of a call of phones that is transferred', () => {
  let system: PhoneSystem;
  let [anna, dan, eva]: Phone[] = [];

  beforeAll(async () => {
    system = await PhoneSystem.start({ home: 1, outside: 2 });
    [anna, dan, eva] = [
      await system.phoneAtHome('anna', 0),
      await system.phoneOutside('dan', 0),
      await system.phoneOutside('eva', 1),
    ];
  });

  afterAll(() => system?.stop());

  /** Of the call and all calls that are linked with it, as Wireshark reads them. */
  async function exported(callId: string): Promise<readonly WireMessage[]> {
    const path = `/api/calls/${encodeURIComponent(callId)}/messages.pcap?legs=all`;
    const file = join(system.folder, 'exported.pcap');
    writeFileSync(file, await system.bytes(path));
    return messagesIn(file);
  }

  it('are in one file with those of the call that it led to, each once, as they were on the wire', async () => {
    if (!anna || !dan || !eva) throw new Error('a phone is missing');
    const wire = await system.capture();
    const callId = await anna.talkTo(dan);
    await dan.transferTo('eva');
    const successor = await eva.incomingAfter([]);
    await eva.answer(successor);
    await eva.on('CALL_ESTABLISHED', successor);
    await dan.on('CALL_CLOSED', callId);
    await eva.hangUp();
    for (const each of [callId, successor]) await system.calls.settled(each);
    const legs = new Set([callId, successor]);
    const [seen, found] = await eventually('the same messages in the file', async () => {
      const wired = (await messagesIn(wire)).filter((message) => legs.has(message.callId));
      const messages = await exported(successor);
      return messages.length === wired.length && ([wired, messages] as const);
    });
    expect(byDirection(found)).toEqual(byDirection(seen));
    expect(new Set(found.map((message) => message.callId))).toEqual(legs);
    const methods = found.map(({ firstLine }) => firstLine.split(' ', 1)[0]);
    expect(methods).toEqual(expect.arrayContaining(['INVITE', 'REFER', 'NOTIFY', 'BYE']));
    expect(await exported(callId)).toEqual(found);
  });
});
