import { ENDS, STARTS, alice, bob, words } from '../../test/event-words.js';
import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { BY_BOB, CALLER_SDP, PlayedCall } from '../../test/played-call.js';
import { BOB, request, response, sdp } from '../../test/sip-messages.js';

describe('an established call', () => {
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
  });

  it('is reported from INVITE to BYE', () => {
    expect(words(call.invite())).toEqual(['invite']);
    expect(call.receive(response('100 Trying', 'INVITE', { to: BOB }))).toEqual([]);
    expect(call.receive(response('180 Ringing', 'INVITE'))).toEqual([]);
    expect(words(call.answer())).toEqual(STARTS);
    expect(call.receive(request('ACK', { to: BY_BOB.from }))).toEqual([]);
    expect(words(call.bye())).toEqual(ENDS);
    const shared = { callId: 'call-1', conversationId: 'call-1', frontEnds: ['fe1'] };
    expect(call.records.map(({ connection }) => connection)).toEqual([
      { ...shared, timeStamp: '2025-10-09T08:53:21.0000000Z', cseq: 1 },
      {
        ...shared,
        timeStamp: '2025-10-09T08:53:24.0000000Z',
        cseq: 1,
        further: { PostDialDelay: '2000', RingTime: '1000' },
      },
      { ...shared, timeStamp: '2025-10-09T08:53:26.0000000Z', cseq: 9, further: { EndedBy: 'Caller' } },
    ]);
  });

  it('starts a stream in each direction, with addresses, codecs and bandwidth', () => {
    call.invite();
    const [there, back] = call.answer();
    const [aliceAtMedia, bobAtMedia] = [
      { ...alice, ip: '192.0.2.10', port: 4_000 },
      { ...bob, ip: '192.0.2.20', port: 5_000 },
    ];
    const shared = {
      kind: 'start',
      mediaType: 'audio',
      protocol: 'UDP',
      bandwidth: { average: 83_200, maximum: 161_000 },
      codecs: [
        { name: 'PCMU/8000', payloadType: 0, low: 83_200, high: 161_000 },
        { name: 'telephone-event/8000', payloadType: 101 },
      ],
    };
    expect(there).toEqual({ ...shared, from: aliceAtMedia, to: bobAtMedia });
    expect(back).toEqual({ ...shared, from: bobAtMedia, to: aliceAtMedia });
  });

  it('is reported once, even if its messages are captured at several hops', () => {
    call.invite();
    expect(call.invite()).toEqual([]);
    expect(call.invite({ branch: 'z9hG4bK-proxy', body: sdp('198.51.100.1', 9_000) })).toEqual([]);
    call.answer({ branch: 'z9hG4bK-proxy' });
    expect(call.answer()).toEqual([]);
    call.bye();
    expect(call.bye({ branch: 'z9hG4bK-proxy' })).toEqual([]);
    expect(call.bye({ ...BY_BOB, cseq: 1 })).toEqual([]);
    expect(call.records).toHaveLength(3);
  });

  it('ends with the BYE of either side', () => {
    call.invite();
    call.answer();
    expect(words(call.bye({ ...BY_BOB, cseq: 1 }))).toEqual(ENDS);
  });

  it('reports the reason of the BYE', () => {
    call.invite();
    call.answer();
    const events = call.bye({ headers: ['Reason: Q.850;cause=41;text="Temporary failure"'] });
    expect(events.at(-1)).toMatchObject({
      kind: 'bye',
      endpoints: [{ id: 'a1' }, { id: 'b1' }],
      diagnostics: { code: 2, text: '2;reason="Temporary failure";source="fe1";protocol="Q.850";cause="41"' },
    });
  });

  it('starts streams if the offer is in the response and the answer in the ACK', () => {
    call.invite({ body: '' });
    expect(call.answer()).toEqual([]);
    const [there] = call.receive(request('ACK', { to: BY_BOB.from, body: CALLER_SDP }));
    expect(there).toMatchObject({ kind: 'start', from: { ip: '192.0.2.10' }, to: { ip: '192.0.2.20' } });
  });

  it('starts streams with the session description of a ringing device', () => {
    call.invite();
    call.receive(response('183 Session Progress', 'INVITE', { body: sdp('192.0.2.20', 5_000) }));
    expect(words(call.answer({ body: '' }))).toEqual(STARTS);
  });

  it('ends the video streams when video is switched off', () => {
    call.invite({ body: sdp('192.0.2.10', 4_000, { videoPort: 4_002 }) });
    const both = [...STARTS, 'start video', 'start video'];
    expect(words(call.answer({ body: sdp('192.0.2.20', 5_000, { videoPort: 5_002 }) }))).toEqual(both);
    const parts = { cseq: 2, to: BY_BOB.from };
    call.receive(request('INVITE', { ...parts, body: sdp('192.0.2.10', 4_000, { videoPort: 0 }) }));
    const answer = response('200 OK', 'INVITE', { ...parts, body: sdp('192.0.2.20', 5_000, { videoPort: 0 }) });
    expect(words(call.receive(answer))).toEqual(['ended video', 'ended video']);
    expect(words(call.bye())).toEqual(ENDS);
  });

  it('reports hold and retrieval', () => {
    call.invite();
    call.answer();
    const exchange = (cseq: number, line: string): readonly RecordEvent[] => {
      const own = sdp('192.0.2.20', 5_000, { audio: [`a=${line}`] });
      call.receive(request('INVITE', { ...BY_BOB, cseq, body: own }));
      return call.receive(response('200 OK', 'INVITE', { ...BY_BOB, cseq, body: CALLER_SDP }));
    };
    const held = exchange(1, 'inactive');
    expect(held.map((event) => 'bandwidth' in event && event.bandwidth)).toEqual([
      { average: 0, maximum: 0 },
      { average: 0, maximum: 0 },
    ]);
    expect(words(held)).toEqual(['update audio', 'update audio']);
    const music = exchange(2, 'sendonly');
    expect(music).toMatchObject([
      { from: { id: 'a1' }, bandwidth: { average: 0 } },
      { from: { id: 'b1' }, bandwidth: { average: 83_200 } },
    ]);
    expect(exchange(3, 'sendrecv')).toMatchObject([
      { bandwidth: { average: 83_200 } },
      { bandwidth: { average: 83_200 } },
    ]);
    expect(exchange(4, 'sendrecv')).toEqual([]);
  });

  it('reports hold by the caller of a call that rang', () => {
    call.invite();
    call.receive(response('180 Ringing', 'INVITE'));
    call.answer();
    const own = sdp('192.0.2.10', 4_000, { audio: ['a=sendonly'] });
    call.receive(request('INVITE', { cseq: 2, to: BY_BOB.from, body: own }));
    const other = sdp('192.0.2.20', 5_000, { audio: ['a=recvonly'] });
    expect(call.receive(response('200 OK', 'INVITE', { cseq: 2, body: other }))).toMatchObject([
      { kind: 'update', from: { id: 'a1' }, bandwidth: { average: 83_200 } },
      { kind: 'update', from: { id: 'b1' }, bandwidth: { average: 0 } },
    ]);
  });

  it('keeps its media when a change is rejected', () => {
    call.invite();
    call.answer();
    call.receive(request('INVITE', { cseq: 2, to: BY_BOB.from, body: sdp('192.0.2.99', 1) }));
    expect(call.receive(response('488 Not Acceptable Here', 'INVITE', { cseq: 2 }))).toEqual([]);
    expect(call.bye()[0]).toMatchObject({ from: { ip: '192.0.2.10' } });
  });

  it('changes with UPDATE', () => {
    call.invite();
    call.answer();
    call.receive(request('UPDATE', { cseq: 2, to: BY_BOB.from, body: sdp('192.0.2.11', 4_000) }));
    const [there] = call.receive(response('200 OK', 'UPDATE', { cseq: 2, body: sdp('192.0.2.20', 5_000) }));
    expect(there).toMatchObject({ kind: 'update', from: { ip: '192.0.2.11' } });
  });

  it('ignores other devices than the one that answered', () => {
    call.invite();
    call.receive(response('180 Ringing', 'INVITE', { to: '<sip:bob@example.test>;tag=b2' }));
    call.receive(response('486 Busy Here', 'INVITE', { to: '<sip:bob@example.test>;tag=b2', branch: 'z9hG4bK-fork' }));
    expect(words(call.answer())).toEqual(STARTS);
    expect(call.answer({ to: '<sip:bob@example.test>;tag=b3' })).toEqual([]);
    expect(call.bye({ to: '<sip:bob@example.test>;tag=b3' })).toEqual([]);
    expect(words(call.bye())).toEqual(ENDS);
  });

  it('reports its end even if the beginning was not captured', () => {
    expect(call.bye()).toEqual([
      {
        kind: 'bye',
        endpoints: [
          { id: 'a1', uri: alice.uri },
          { id: 'b1', uri: bob.uri },
        ],
      },
    ]);
  });
});

describe('a call that fails', () => {
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
  });

  it.each([
    ['486 Busy Here', { code: 486, phrase: 'Busy Here' }],
    ['403 Forbidden', { code: 403, phrase: 'Forbidden' }],
    ['603', { code: 603 }],
  ])('reports the response %s once', (status, responseCode) => {
    expect(call.receive(response(status, 'INVITE'))).toEqual([
      {
        kind: 'error',
        endpoints: [
          { id: 'a1', uri: alice.uri },
          { id: 'b1', uri: bob.uri },
        ],
        responseCode,
        diagnostics: expect.objectContaining({
          code: 2,
          text: '2;reason="See response code and reason phrase";source="fe1"',
        }),
      },
    ]);
    expect(call.receive(response(status, 'INVITE'))).toEqual([]);
  });

  it.each([
    ['Reason: Q.850;cause=17;text="User busy"', '2;reason="User busy";source="fe1";protocol="Q.850";cause="17"'],
    ['Reason: SIP;cause=600', '2;reason="600";source="fe1";protocol="SIP";cause="600"'],
    ['Ms-Diagnostics: 13004; reason="No route";source="gw"', '13004; reason="No route";source="gw"'],
    ['X-Asterisk-HangupCauseCode: 21', '2;reason="21";source="fe1";protocol="Q.850";cause="21"'],
  ])('reports the reason in %s', (line, text) => {
    const [event] = call.receive(response('486 Busy Here', 'INVITE', { headers: [line] }));
    expect(event).toMatchObject({ diagnostics: { text } });
  });

  it('reports the reason of the CANCEL', () => {
    call.receive(request('CANCEL', { headers: ['Reason: SIP;cause=200;text="Call completed elsewhere"'] }));
    expect(call.receive(response('487 Request Terminated', 'INVITE'))).toMatchObject([
      {
        kind: 'error',
        responseCode: { code: 487 },
        diagnostics: { text: expect.stringContaining('completed elsewhere') },
      },
    ]);
  });

  it('reports the response that the caller gets, not those of single devices', () => {
    expect(call.receive(response('404 Not Found', 'INVITE', { branch: 'z9hG4bK-fork' }))).toEqual([]);
    expect(call.receive(response('480 Temporarily Unavailable', 'INVITE'))).toMatchObject([
      { responseCode: { code: 480 } },
    ]);
  });

  it('is not reported as failed when a password is required and given', () => {
    expect(call.receive(response('407 Proxy Authentication Required', 'INVITE'))).toEqual([]);
    expect(words(call.invite({ cseq: 2, branch: 'z9hG4bK-2' }))).toEqual(['invite']);
    expect(words(call.answer({ cseq: 2, branch: 'z9hG4bK-2' }))).toEqual(STARTS);
  });

  it('is reported as failed when a password is required and never given', () => {
    call.receive(response('401 Unauthorized', 'INVITE'));
    expect(call.pass(59_000)).toEqual([]);
    expect(call.pass(1_000)).toMatchObject([{ kind: 'error', responseCode: { code: 401 } }]);
    expect(call.forgotten).toEqual([]);
  });
});

describe('calls without an end', () => {
  it('are forgotten after the time limits, and announced', () => {
    const call = new PlayedCall();
    call.invite({ callId: 'rings' });
    call.invite({ callId: 'talks' });
    call.answer({ callId: 'talks' });
    expect(call.pass(180_000)).toEqual([]);
    expect(call.forgotten).toEqual(['rings inviting: nothing followed']);
    expect(call.pass(86_400_000)).toEqual([]);
    expect(call.forgotten).toEqual(['rings inviting: nothing followed', 'talks active: nothing followed']);
    expect(call.tracker.openCalls).toBe(0);
  });

  it('are forgotten, oldest first, when there are too many', () => {
    const call = new PlayedCall({ limits: { calls: 2 } });
    for (const callId of ['one', 'two', 'three']) call.invite({ callId });
    expect(call.forgotten).toEqual(['one inviting: too many calls']);
    expect(call.tracker.openCalls).toBe(2);
  });

  it('expire by the monotonic clock, not by the clock of the capture', () => {
    const call = new PlayedCall();
    call.clock = 86_400_000 * 365;
    call.invite();
    call.clock = 0;
    expect(words(call.answer())).toEqual(STARTS);
    expect(call.pass(180_000)).toEqual([]);
    expect(call.forgotten).toEqual([]);
  });
});
