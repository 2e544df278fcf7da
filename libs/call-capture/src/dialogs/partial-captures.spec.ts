import * as fc from 'fast-check';
import { ENDS, STARTS, words } from '../../test/event-words.js';
import { BY_BOB, CALLEE_SDP, CALLER_SDP, PlayedCall } from '../../test/played-call.js';
import { ALICE, BOB_ANSWERING, request, response } from '../../test/sip-messages.js';

const WITHIN = { to: BOB_ANSWERING };
const INVITE = request('INVITE', { body: CALLER_SDP });
const [TRYING, RINGING] = [
  response('100 Trying', 'INVITE', { to: '<sip:bob@example.test>' }),
  response('180 Ringing', 'INVITE'),
];
const ANSWER = response('200 OK', 'INVITE', { body: CALLEE_SDP });
const ACK = request('ACK', { ...WITHIN, branch: 'z9hG4bK-ack' });
const BYE = request('BYE', { ...WITHIN, cseq: 2, branch: 'z9hG4bK-bye' });
const BYE_ANSWER = response('200 OK', 'BYE', { cseq: 2, branch: 'z9hG4bK-bye' });
const BY_ALICE_SWAPPED = { from: '<sip:alice@example.test>;tag=b1', to: '<sip:bob@example.test>;tag=a1' };
const BY_BOB_SWAPPED = { from: '<sip:bob@example.test>;tag=a1', to: '<sip:alice@example.test>;tag=b1' };
/** The Via of Bob's phone. */
const OF_BOB = ['Via: SIP/2.0/UDP 192.0.2.20:5060;branch=z9hG4bK-own'];

let call: PlayedCall;

beforeEach(() => {
  call = new PlayedCall();
});

function play(...messages: readonly Buffer[]): readonly string[] {
  for (const message of messages) call.receive(message);
  return outcome();
}

/** Kinds of all events, then who ended the call, and what was assumed. */
function outcome(): readonly string[] {
  call.pass(60_000);
  const further = call.records.map(({ connection }) => connection.further ?? {});
  const named = further.flatMap(({ EndedBy, Assumed }) => [EndedBy, Assumed && `assumed ${Assumed}`]);
  return [...words(call.records.flatMap(({ events }) => events)), ...named.filter((each) => each !== undefined)];
}

function duration(): number | undefined {
  const at = (kind: string): number =>
    Date.parse(
      call.records.find(({ events }) => events.some((event) => event.kind === kind))?.connection.timeStamp ?? '',
    );
  return at('bye') - at('start');
}

const WHOLE = ['invite', ...STARTS, ...ENDS];

describe('a BYE', () => {
  it.each<[string, object, string]>([
    ['of the callee without From tag', { from: '<sip:bob@example.test>', to: BY_BOB.to }, 'Callee'],
    ['of the callee without To tag', { from: BY_BOB.from, to: '<sip:alice@example.test>' }, 'Callee'],
    ['of the callee with another tag of its own', { from: '<sip:bob@example.test>;tag=own', to: BY_BOB.to }, 'Callee'],
    ['of the callee without tags', { from: '<sip:bob@example.test>', to: '<sip:alice@example.test>' }, 'Callee'],
    ['of the callee with swapped tags', { ...BY_BOB_SWAPPED, headers: OF_BOB }, 'Callee'],
    ['of the caller without To tag', { from: ALICE, to: '<sip:bob@example.test>' }, 'Caller'],
    ['of the caller without From tag', { from: '<sip:alice@example.test>', ...WITHIN }, 'Caller'],
    ['of the caller without tags', { from: '<sip:alice@example.test>', to: '<sip:bob@example.test>' }, 'Caller'],
    ['of the caller with swapped tags', BY_ALICE_SWAPPED, 'Caller'],
    [
      'of the caller with tags of another leg',
      { from: '<sip:alice@example.test>;tag=x', to: '<sip:bob@example.test>;tag=y' },
      'Caller',
    ],
  ])('%s ends the call', (_what, parts, by) => {
    const bye = request('BYE', { cseq: 7, ...parts });
    expect(play(INVITE, RINGING, ANSWER, ACK, bye)).toEqual([...WHOLE, by, 'assumed Bye']);
    expect(call.tracker.unplaced.counts).toMatchObject({ 'unknown dialog': 0 });
  });

  it('of the callee whose addresses stayed as in the INVITE ends the call', () => {
    const bye = request('BYE', { ...BY_ALICE_SWAPPED, headers: OF_BOB });
    expect(play(INVITE, RINGING, ANSWER, ACK, bye)).toEqual([...WHOLE, 'Callee']);
  });

  it('of strangers ends no call, and is counted', () => {
    const strangers = { from: '<sip:mallory@example.test>;tag=m', to: '<sip:trent@example.test>;tag=t' };
    expect(play(INVITE, ANSWER, request('BYE', strangers))).toEqual(['invite', ...STARTS]);
    expect(call.tracker.unplaced.counts).toMatchObject({ 'unknown dialog': 1 });
  });

  it.each(['200 OK', '481 Call/Transaction Does Not Exist', '408 Request Timeout', '500 Server Error'])(
    'of which only the response was captured ends the call: %s',
    (status) => {
      const answer = response(status, 'BYE', { cseq: 2 });
      expect(play(INVITE, RINGING, ANSWER, ACK, answer)).toEqual([...WHOLE, 'Caller', 'assumed Bye']);
    },
  );

  it('that is challenged or rejected ends the call when it was sent', () => {
    expect(play(INVITE, ANSWER, BYE, response('407 Proxy Authentication Required', 'BYE', { cseq: 2 }))).toEqual([
      ...WHOLE,
      'Caller',
    ]);
  });

  it('to a device that only rang ends the call 32 s after the answer, but not before', () => {
    const other = { to: '<sip:bob@example.test>;tag=b2' };
    call.receive(INVITE);
    call.receive(response('180 Ringing', 'INVITE', other));
    call.receive(ANSWER);
    expect(call.receive(request('BYE', { ...other, cseq: 2 }))).toEqual([]);
    call.now += 40_000;
    expect(words(call.receive(request('BYE', { ...other, cseq: 3 })))).toEqual(ENDS);
  });
});

describe('a call that has two To tags on two hops', () => {
  const behind = { branch: 'z9hG4bK-behind' };
  const [inner, outer] = ['<sip:bob@example.test>;tag=inner', '<sip:bob@example.test>;tag=outer'];

  it.each([
    ['outer', request('BYE', { cseq: 2, to: outer })],
    ['inner', request('BYE', { cseq: 2, to: inner, branch: 'z9hG4bK-x' })],
    ['outer', request('BYE', { ...BY_BOB, cseq: 2, from: outer })],
  ])('ends with the BYE to the %s one, whichever answer was captured first', (_which, bye) => {
    const answers = [
      response('200 OK', 'INVITE', { ...behind, to: inner, body: CALLEE_SDP }),
      response('200 OK', 'INVITE', { to: outer, body: CALLEE_SDP }),
    ];
    for (const order of [answers, answers.toReversed()]) {
      call = new PlayedCall();
      expect(
        play(INVITE, request('INVITE', { ...behind, body: CALLER_SDP }), ...order, bye).slice(0, WHOLE.length),
      ).toEqual(WHOLE);
    }
  });

  it('ends with the BYE to the second tag of a header', () => {
    const both = response('200 OK', 'INVITE', { to: '<sip:bob@example.test>;tag=b2;tag=b1', body: CALLEE_SDP });
    expect(play(INVITE, RINGING, both, ACK, BYE)).toEqual([...WHOLE, 'Caller', 'assumed Bye']);
  });

  it('is still two calls of a forked INVITE if the caller gets both answers', () => {
    const [first, second] = ['b1', 'b2'].map((tag) => ({ to: `<sip:bob@example.test>;tag=${tag}`, body: CALLEE_SDP }));
    const answers = [
      response('200 OK', 'INVITE', { ...behind, ...first }),
      response('200 OK', 'INVITE', { branch: 'z9hG4bK-fork', ...second }),
      response('200 OK', 'INVITE', { ...first }),
      response('200 OK', 'INVITE', { ...second }),
    ];
    expect(play(INVITE, ...answers, request('BYE', { cseq: 2, ...first, body: '' }))).not.toContain('bye');
    expect(play(request('BYE', { cseq: 3, ...second, body: '' })).filter((word) => word === 'bye')).toEqual(['bye']);
  });
});

describe('a call of which one direction was captured', () => {
  it('is started and ended by its responses', () => {
    expect(play(TRYING, RINGING, ANSWER, BYE_ANSWER)).toEqual([...WHOLE, 'assumed Invite', 'Caller', 'assumed Bye']);
    expect(duration()).toBe(1_000);
  });

  it('is rejected by its responses, also if they are those of a challenge before', () => {
    const challenge = response('407 Proxy Authentication Required', 'INVITE');
    expect(
      play(challenge, response('180 Ringing', 'INVITE', { cseq: 2 }), response('486 Busy Here', 'INVITE', { cseq: 2 })),
    ).toEqual(['invite', 'error', 'assumed Invite']);
  });

  it('is started by its ACK if only requests were captured', () => {
    expect(play(INVITE, ACK, BYE)).toEqual([...WHOLE, 'assumed Start', 'Caller']);
    expect(duration()).toBe(1_000);
  });

  it('is not started by the ACK of a rejection', () => {
    const behind = { branch: 'z9hG4bK-behind', to: '<sip:bob@example.test>;tag=b2' };
    const rejected = request('ACK', WITHIN);
    expect(play(INVITE, rejected)).toEqual(['invite']);
    expect(play(response('486 Busy Here', 'INVITE', behind), request('ACK', behind))).toEqual(['invite']);
  });

  it('counts what tells of no call', () => {
    expect(play(ACK, request('CANCEL'), response('481 Gone', 'INVITE'), response('200 OK', 'PRACK'))).toEqual([]);
    expect(call.tracker.unplaced.counts).toMatchObject({ 'unknown call': 4 });
  });
});

/** As captured within one millisecond: nothing that waits is given up between them. */
function playAtOnce(messages: readonly Buffer[]): void {
  const { now } = call;
  for (const message of messages) {
    call.now = now - 1_000;
    call.receiveAtOnce(message);
  }
  call.now = now;
}

describe('a call whose messages of one moment are captured in any order', () => {
  const CHALLENGE = response('407 Proxy Authentication Required', 'INVITE', { to: '<sip:bob@example.test>;tag=x' });
  const second = { cseq: 2, branch: 'z9hG4bK-2' };
  const MOMENTS = [
    [request('INVITE', { body: '' })],
    [
      CHALLENGE,
      request('ACK', { to: '<sip:bob@example.test>;tag=x' }),
      request('INVITE', { ...second, body: CALLER_SDP }),
      response('100 Trying', 'INVITE', { ...second, to: '<sip:bob@example.test>' }),
      response('180 Ringing', 'INVITE', second),
      response('200 OK', 'INVITE', { ...second, body: CALLEE_SDP }),
      request('ACK', { ...WITHIN, cseq: 2, branch: 'z9hG4bK-ack' }),
    ],
    [request('BYE', { ...WITHIN, cseq: 3 }), response('200 OK', 'BYE', { cseq: 3 })],
  ];

  it('is the same call', () => {
    const orders = fc.tuple(...MOMENTS.map((moment) => fc.shuffledSubarray(moment, { minLength: moment.length })));
    fc.assert(
      fc.property(orders, (moments) => {
        call = new PlayedCall();
        for (const moment of moments) {
          playAtOnce(moment);
          call.pass(1_000);
        }
        const kinds = outcome().filter((word) => word !== 'invite');
        expect(kinds.filter((word) => !word.startsWith('assumed'))).toEqual([...STARTS, ...ENDS, 'Caller']);
      }),
    );
  });
});

describe('a 487 that is captured before its CANCEL', () => {
  it('is the end by the caller', () => {
    const terminated = response('487 Request Terminated', 'INVITE');
    play(INVITE, RINGING);
    playAtOnce([terminated, request('CANCEL'), response('200 OK', 'CANCEL')]);
    expect(outcome()).toEqual(['invite', 'error', 'Caller']);
  });
});

describe('a call of which some messages were not captured', () => {
  const MESSAGES = [INVITE, TRYING, RINGING, ANSWER, ACK, BYE, BYE_ANSWER];

  it('ends once if any message of its end is there, and has a start if its INVITE and any message of its answer are', () => {
    fc.assert(
      fc.property(fc.subarray(MESSAGES, { minLength: 1 }), (captured) => {
        call = new PlayedCall();
        const found = play(...captured);
        const has = (...wanted: readonly Buffer[]): boolean => wanted.some((each) => captured.includes(each));
        expect(found.filter((word) => word === 'bye')).toHaveLength(has(BYE, BYE_ANSWER) ? 1 : 0);
        expect(found.filter((word) => word === 'start audio')).toHaveLength(
          (has(INVITE) && has(ANSWER, ACK)) || (has(TRYING, RINGING) && has(ANSWER))
            ? 2
            : found.includes('start audio')
              ? 2
              : 0,
        );
        expect(found.filter((word) => word === 'error')).toEqual([]);
      }),
    );
  });

  it('is the same if messages are sent again', () => {
    const again = fc.array(fc.constantFrom(...MESSAGES.slice(0, 3)), { maxLength: 4 });
    fc.assert(
      fc.property(again, (copies) => {
        call = new PlayedCall();
        expect(play(INVITE, RINGING, ...copies, ANSWER, ...copies, ACK, BYE, BYE, BYE_ANSWER)).toEqual([
          ...WHOLE,
          'Caller',
        ]);
      }),
    );
  });
});

describe('a Call-ID that is used again', () => {
  function placeCall(
    tags: readonly [string, string],
    parts: { readonly cseq?: number; readonly callee?: string } = {},
  ): Buffer[] {
    const { cseq = 1, callee = 'bob' } = parts;
    const ends = { from: `<sip:alice@example.test>;tag=${tags[0]}`, to: `<sip:${callee}@example.test>;tag=${tags[1]}` };
    const branch = `z9hG4bK-${tags[0]}-${cseq}`;
    return [
      request('INVITE', { ...ends, to: `<sip:${callee}@example.test>`, cseq, branch, body: CALLER_SDP }),
      response('200 OK', 'INVITE', { ...ends, cseq, branch, body: CALLEE_SDP }),
      request('BYE', { ...ends, cseq: cseq + 1, branch: `${branch}-bye` }),
    ];
  }

  function endsByCall(): readonly string[] {
    const ended = call.records.filter(({ events }) => events.some(({ kind }) => kind === 'bye'));
    return ended.map(({ connection }) => connection.callId);
  }

  it.each([0, 40_000])('%d ms after the end of the call is another call for each caller tag', (pause) => {
    for (const tag of ['f1', 'f2', 'f3']) {
      play(...placeCall([tag, `t${tag}`]));
      call.now += pause;
    }
    expect(endsByCall()).toEqual(['call-1', 'call-1;from-tag=f2', 'call-1;from-tag=f3']);
  });

  it('with the same tag and a later CSeq is another call, and with the same CSeq is counted', () => {
    play(...placeCall(['f1', 't1']), ...placeCall(['f1', 't2'], { cseq: 5 }));
    expect(endsByCall()).toEqual(['call-1', 'call-1;from-tag=f1;cseq=5']);
    call.now += 100_000;
    play(...placeCall(['f1', 't3'], { cseq: 5 }).slice(0, 1));
    expect(call.tracker.unplaced.counts).toMatchObject({ 'Call-ID used again': 1 });
  });

  it('while the first call lasts keeps the messages of both apart', () => {
    const [first, second] = [placeCall(['f1', 't1']), placeCall(['f2', 't2'])];
    play(...first.slice(0, 2), ...second.slice(0, 2), ...first.slice(2));
    expect(endsByCall()).toEqual(['call-1']);
    play(...second.slice(2));
    expect(endsByCall()).toEqual(['call-1', 'call-1;from-tag=f2']);
  });

  it('after a failure is another call if the tag is another one', () => {
    const [invite = Buffer.of(), ...rest] = placeCall(['f2', 't2']);
    play(INVITE, response('486 Busy Here', 'INVITE'), invite, ...rest);
    expect(endsByCall()).toEqual(['call-1;from-tag=f2']);
  });

  it('by the next hop is the same call', () => {
    const [invite = Buffer.of()] = placeCall(['f2', 't2']);
    const forwarded = Buffer.from(invite.toString().replace('192.0.2.10:5060', '192.0.2.5:5060'));
    expect(play(INVITE, forwarded, ANSWER, BYE)).toEqual([...WHOLE, 'Caller']);
  });
});
