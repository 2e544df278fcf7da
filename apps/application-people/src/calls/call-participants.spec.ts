import type { CallOutline, StreamOutline } from '@ringdown/contracts/calls';
import { CallParticipants, type CallWithParticipants } from './call-participants.js';
import { isCallOutline, participantsIn } from './participants.js';

const ANNA = 'sip:anna@example.test';
const BEN = 'sip:ben@example.test';

function stream(from: string, to: string, state = 'active'): StreamOutline {
  return { state, from: { uri: from }, to: { uri: to } };
}

function call(callId: string, version: number, more: Partial<CallOutline> = {}): CallOutline {
  return { callId, version, state: 'active', streams: [stream(ANNA, BEN), stream(BEN, ANNA)], parties: [], ...more };
}

const over = { state: 'ended', streams: [stream(ANNA, BEN, 'ended')] };

describe('who talks in a call', () => {
  it.each<[string, Partial<CallOutline>, readonly string[]]>([
    ['both ends of its streams', {}, [ANNA, BEN]],
    ['also on hold', { state: 'held', streams: [stream(ANNA, BEN, 'held')] }, [ANNA, BEN]],
    ['no one when it is over', over, []],
    ['no one when it has expired', { state: 'expired' }, []],
    ['no one while it rings', { state: 'invited', streams: [] }, []],
    [
      'no one whose streams have ended',
      { streams: [stream(ANNA, BEN, 'ended'), stream(ANNA, 'sip:cid@x')] },
      [ANNA, 'sip:cid@x'],
    ],
    ['no one in a call of an uploaded capture', { feeds: ['Upload~carol'] }, []],
    ['both ends of a call that a front end reports', { feeds: ['fe1.example.test'] }, [ANNA, BEN]],
    ['all parties when no stream is known', { streams: [], parties: [{ uri: ANNA }, {}] }, [ANNA]],
    ['no party that was only called as well', { parties: [{ uri: 'sip:also@example.test' }] }, [ANNA, BEN]],
    [
      'a person whatever the case and the parameters',
      { streams: [stream('SIPS:Anna@EXAMPLE.test:5061;gruu', BEN)] },
      [ANNA, BEN],
    ],
    [
      'a person with parameters',
      { streams: [stream('sip:Anna@EXAMPLE.test;gruu;opaque=user:epid:x', BEN)] },
      [ANNA, BEN],
    ],
    ['no conference organiser', { streams: [stream('sip:org@x;gruu;opaque=app:conf:focus:id:AB', BEN)] }, [BEN]],
    ['no telephone number', { streams: [stream('tel:+12025550101', BEN)] }, [BEN]],
    ['no unknown end', { streams: [{ state: 'active', from: null, to: { uri: BEN } }] }, [BEN]],
  ])('includes %s', (_what, more, expected) => {
    expect(participantsIn(call('c', 1, more))).toEqual(expected);
  });

  it('is not read from a value that is not a call', () => {
    expect(isCallOutline(call('c', 1))).toBe(true);
    for (const value of [null, 7, [], {}, { ...call('c', 1), streams: {} }, { ...call('c', 1), version: 'new' }]) {
      expect(isCallOutline(value)).toBe(false);
    }
  });
});

function withCall(...made: Parameters<typeof call>): CallWithParticipants {
  const outline = call(...made);
  return { call: outline, participants: participantsIn(outline) };
}

describe('the calls of people', () => {
  it('are the calls in progress, whatever the order of their changes', () => {
    const calls = new CallParticipants();
    expect(calls.apply(withCall('C1', 1), 1)).toEqual([ANNA, BEN]);
    expect(calls.apply(withCall('c1', 2), 1)).toEqual([]);
    expect(calls.apply(withCall('c2', 1, { streams: [stream(ANNA, 'sip:cid@x')] }), 1)).toEqual([ANNA, 'sip:cid@x']);
    expect(calls.of(ANNA)).toEqual(['c1', 'c2']);
    expect(calls.apply(withCall('c1', 4, over), 1)).toEqual([ANNA, BEN]);
    expect(calls.apply(withCall('c1', 3), 1)).toEqual([]);
    expect([calls.of(ANNA), calls.of(BEN), calls.people]).toEqual([['c2'], [], [ANNA, 'sip:cid@x']]);
  });

  it('are those of the list, with the changes that arrived after it was requested', () => {
    const calls = new CallParticipants();
    calls.apply(withCall('lost end', 1), 1);
    calls.apply(withCall('ended since', 5, over), 20);
    calls.apply(withCall('begun since', 1, { streams: [stream('sip:cid@x', 'sip:dan@x')] }), 20);
    calls.applyAll(
      [withCall('ended since', 4), withCall('lost start', 2, { streams: [stream('sip:eve@x', 'sip:cid@x')] })],
      10,
    );
    expect(calls.of(ANNA)).toEqual([]);
    expect(calls.of('sip:cid@x')).toEqual(['begun since', 'lost start']);
    expect(calls.people.toSorted()).toEqual(['sip:cid@x', 'sip:dan@x', 'sip:eve@x']);
    calls.applyAll([], 30);
    expect(calls.people).toEqual([]);
  });
});
