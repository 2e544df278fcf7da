import { epochMillis } from '@ringdown/xml-schemas/fields';
import type { DiagnosticsRecord, Endpoint } from '@ringdown/xml-schemas/record';
import * as fc from 'fast-check';
import { HopCall, type HopKind, type HopMessage } from '../../test/hop-call.js';
import { HOP_SCRIPTS, hopScript } from '../../test/hop-scripts.js';
import { PlayedFeed } from './played-feed.js';

const START = 1_760_000_000_000;

function place({ id, uri, ip, port }: Endpoint = {}): string {
  // Records keep the tag of the caller that was captured first.
  const tag = id === 'x1' ? 'a1' : (id ?? '');
  return `${uri} ${tag} ${ip ?? ''}:${port ?? ''}`;
}

/** What a call shows; times in tenths of a second. */
function facts(records: readonly DiagnosticsRecord[]): readonly string[] {
  return records.flatMap(({ connection, events }) => {
    const { EndedBy, Assumed } = connection.further ?? {};
    const at = Math.floor(((epochMillis(connection.timeStamp) ?? 0) - START + 500) / 1_000);
    return events.map((event) => {
      const ends = 'from' in event && event.from && event.to ? [place(event.from), place(event.to)] : [];
      const parties = event.kind === 'invite' ? [place(event.caller), place(event.callee)] : [];
      const code = event.kind === 'error' ? event.responseCode?.code : '';
      const said = [event.kind, ...ends, ...parties, code, EndedBy, Assumed].filter(Boolean);
      return `${connection.callId} ${at} ${said.join(' ')}`;
    });
  });
}

function course(fact: string): string {
  return fact.replaceAll(/ \S+ [\d.]*:\d*/g, '');
}

function play(messages: readonly (HopMessage & { time: number })[]): readonly string[] {
  const records: DiagnosticsRecord[] = [];
  const feed = new PlayedFeed({ frontEnd: 'fe1', version: 'D', onRecord: (record) => records.push(record) });
  for (const { time, bytes, source, destination } of messages.toSorted((a, b) => a.time - b.time)) {
    feed.play({ content: 'sip', payload: bytes, source, destination }, START + time);
  }
  feed.finish();
  return [...new Set(facts(records)), ...Object.entries(feed.findings.unplacedMessages).map(String)];
}

/** The address of the callee in the dialog of the caller: a border controller has a dialog of its own with Bob. */
const KINDS: readonly { readonly kind: HopKind; readonly bobs: string }[] = [
  { kind: 'proxy', bobs: '192.0.2.20' },
  { kind: 'relaying proxy', bobs: '192.0.2.20' },
  { kind: 'proxy that hides topology', bobs: '192.0.2.20' },
  { kind: 'border controller', bobs: '192.0.2.5' },
];

/** An oracle of some scripts, written by hand. `bobs`: address of the callee. */
function factsByHand(bobs: string): Readonly<Record<string, readonly string[]>> {
  const [alice, bob] = ['sip:alice@example.test a1 192.0.2.10', `sip:bob@example.test b ${bobs}`];
  const invite = 'call-1 0 invite sip:alice@example.test a1 : sip:bob@example.test  :';
  const answered = [
    invite,
    `call-1 2 start ${alice}:4000 ${bob}:5000`,
    `call-1 2 start ${bob}:5000 ${alice}:4000`,
    `call-1 62 ended ${alice}:4000 ${bob}:5000 Caller`,
    `call-1 62 ended ${bob}:5000 ${alice}:4000 Caller`,
    'call-1 62 bye Caller',
  ];
  return {
    'ended by the caller': answered,
    'answered by the second carrier': answered,
    cancelled: [invite, 'call-1 5 error 487 Caller'],
    moved: [
      invite,
      `call-1 2 start ${alice}:4000 ${bob}:5000`,
      `call-1 2 start ${bob}:5000 ${alice}:4000`,
      `call-1 10 update ${alice}:4100 ${bob}:5100`,
      `call-1 10 update ${bob}:5100 ${alice}:4100`,
      `call-1 62 ended ${alice}:4100 ${bob}:5100 Caller`,
      `call-1 62 ended ${bob}:5100 ${alice}:4100 Caller`,
      'call-1 62 bye Caller',
    ],
    'with early media': [
      invite,
      `call-1 0 start ${alice}:4200 ${bob}:5200`,
      `call-1 0 start ${bob}:5200 ${alice}:4200`,
      `call-1 62 ended ${alice}:4200 ${bob}:5200 Callee`,
      `call-1 62 ended ${bob}:5200 ${alice}:4200 Callee`,
      'call-1 62 bye Callee',
    ],
  };
}

function inOrder({ messages }: HopCall): readonly string[] {
  return play(messages.map((message) => ({ ...message, time: message.at })));
}

describe.each(KINDS)('the facts of a call through a $kind', ({ kind, bobs }) => {
  it.each(Object.entries(factsByHand(bobs)))('are those of its script: %s', (name, expected) => {
    expect(inOrder(hopScript(name)(new HopCall(kind)))).toEqual(expected);
  });
});

describe.each(KINDS)('a call through a $kind', ({ kind }) => {
  describe.each(Object.entries(HOP_SCRIPTS))('%s', (_name, script) => {
    const call = script(new HopCall(kind));
    const { messages } = call;
    const right = inOrder(call);

    function skewed(ahead: number): readonly string[] {
      return play(
        messages.map((message) => ({ ...message, time: message.at - (message.hop === 'outer' ? ahead : 0) })),
      );
    }

    it.each([-5, -3, 3, 5])('is the same with the outer capture point %d ms ahead', (ahead) => {
      expect(skewed(ahead)).toEqual(right);
    });

    it('is the same in any order of messages within 4 ms', () => {
      const late = fc.array(fc.nat(4), { minLength: messages.length, maxLength: messages.length });
      fc.assert(
        fc.property(late, (delays) => {
          const moved = messages.map((message, n) => ({ ...message, time: message.at + (delays[n] ?? 0) }));
          expect(play(moved)).toEqual(right);
        }),
        { numRuns: 50 },
      );
    });

    // Devices answer sooner than the request of the other capture point arrives: the addresses are those of one of the hops.
    it.each([-60, -20, 20, 60])('has the same course with the outer capture point %d ms ahead', (ahead) => {
      expect(skewed(ahead).map(course)).toEqual(right.map(course));
    });
  });
});
