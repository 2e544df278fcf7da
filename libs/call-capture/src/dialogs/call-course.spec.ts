import { BY_BOB, PlayedCall } from '../../test/played-call.js';
import { request, response } from '../../test/sip-messages.js';

function extensions(call: PlayedCall): readonly unknown[] {
  return call.records.map(({ connection }) => connection.further);
}

let call: PlayedCall;

beforeEach(() => {
  call = new PlayedCall();
});

describe('the ring time and post-dial delay', () => {
  it('count from the first INVITE, and from the first ringing', () => {
    call.invite();
    call.receive(response('100 Trying', 'INVITE'));
    call.receive(response('407 Proxy Authentication Required', 'INVITE'));
    call.invite({ cseq: 2, branch: 'z9hG4bK-2' });
    call.receive(response('180 Ringing', 'INVITE', { cseq: 2 }));
    call.receive(response('183 Session Progress', 'INVITE', { cseq: 2 }));
    call.answer({ cseq: 2, branch: 'z9hG4bK-2' });
    expect(extensions(call)).toEqual([undefined, undefined, { PostDialDelay: '4000', RingTime: '2000' }]);
  });

  it('are reported with a failure, once', () => {
    call.invite();
    call.receive(response('180 Ringing', 'INVITE'));
    call.receive(response('480 Temporarily Unavailable', 'INVITE'));
    call.invite({ cseq: 2, branch: 'z9hG4bK-2' });
    call.receive(response('486 Busy Here', 'INVITE', { cseq: 2, branch: 'z9hG4bK-2' }));
    expect(extensions(call)).toEqual([undefined, { PostDialDelay: '1000', RingTime: '1000' }, undefined, undefined]);
  });
});

describe('who ended a call', () => {
  it.each([
    ['Caller', { to: BY_BOB.from }],
    ['Callee', { ...BY_BOB, cseq: 1 }],
  ])('is the %s that sent the BYE', (role, parts) => {
    call.invite();
    call.answer();
    call.bye(parts);
    expect(extensions(call).at(-1)).toEqual({ EndedBy: role });
  });

  it('is the caller that cancelled', () => {
    call.invite();
    call.receive(request('CANCEL'));
    call.receive(response('487 Request Terminated', 'INVITE'));
    expect(extensions(call).at(-1)).toEqual({ EndedBy: 'Caller' });
  });

  it('is not reported if only the BYE was captured', () => {
    call.bye({ ...BY_BOB, cseq: 1 });
    expect(extensions(call)).toEqual([undefined]);
  });

  it('is not reported if it is not known who called', () => {
    call.receive(request('INVITE', { ...BY_BOB, cseq: 7 }));
    call.bye();
    expect(extensions(call)).toEqual([undefined]);
  });
});

describe('a redirection', () => {
  const moved = ['Contact: "C, D" <sip:carol@example.test>;q=1, <sip:dave@example.test>'];
  const followed = {
    RedirectedFrom: 'sip:bob@example.test',
    'RedirectedFrom@Code': '302',
    RedirectedTo: 'sip:carol@example.test',
  };

  it('is reported with the INVITE that it led to', () => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    call.invite({ cseq: 2, branch: 'z9hG4bK-2' });
    expect(extensions(call).at(-1)).toEqual(followed);
  });

  it('is reported also if its copy to the caller is captured after the next INVITE', () => {
    const behindProxy = { branch: 'z9hG4bK-proxy' };
    call.invite();
    call.receive(request('INVITE', behindProxy));
    call.receive(response('302 Moved Temporarily', 'INVITE', { ...behindProxy, headers: moved }));
    call.invite({ cseq: 2, branch: 'z9hG4bK-2' });
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    expect(extensions(call).at(-1)).toMatchObject({ RedirectedTo: 'sip:carol@example.test' });
  });

  it('of one device of a forked call is not reported after the failure that reaches the caller', () => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { branch: 'z9hG4bK-fork', headers: moved }));
    call.receive(response('486 Busy Here', 'INVITE'));
    call.invite({ cseq: 2, branch: 'z9hG4bK-2' });
    expect(extensions(call)).toEqual([undefined, undefined, undefined]);
  });

  it('joins the call that it led to, also with another Call-ID', () => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    call.invite({ callId: 'call-2', to: '<sip:dave@example.test>' });
    call.invite({ callId: 'call-3', to: '<sip:dave@example.test>', from: '<sip:eve@example.test>;tag=e' });
    const joined = call.records.map(({ connection: { callId, conversationId } }) => `${callId} ${conversationId}`);
    expect(joined).toEqual(['call-1 call-1', 'call-1 call-1', 'call-2 call-1', 'call-3 call-3']);
  });

  it('joins the call that it led to also if that still names who was called first in To', () => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    call.invite({ callId: 'call-2', target: 'sip:carol@example.test;transport=tcp' });
    call.invite({ callId: 'call-3', target: 'sip:carol@example.test', from: '<sip:eve@example.test>;tag=e' });
    expect(call.records.at(-2)?.connection).toMatchObject({ callId: 'call-2', conversationId: 'call-1' });
    expect(call.records.at(-1)?.connection).toMatchObject({ callId: 'call-3', conversationId: 'call-3' });
  });

  it('ends the call when the caller goes on with another Call-ID, once', () => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    const { length } = call.records;
    call.invite({ callId: 'call-2', target: 'sip:carol@example.test' });
    call.invite({ callId: 'call-3', target: 'sip:dave@example.test' });
    const named = call.records
      .slice(length)
      .map(({ connection: { callId }, events }) => `${callId} ${events[0]?.kind}`);
    expect(named).toEqual(['call-1 error', 'call-2 invite', 'call-3 invite']);
    expect(call.records[length]?.connection.further).toEqual(followed);
  });

  it.each<[string, (played: PlayedCall) => unknown]>([
    ['within a minute', (played) => played.pass(60_000)],
    ['before the end of the capture', (played) => played.records.push(...played.tracker.finish())],
  ])('that the caller does not follow %s is a failure with both addresses', (_when, wait) => {
    call.invite();
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: moved }));
    wait(call);
    expect(call.records.at(-1)).toMatchObject({
      events: [{ kind: 'error', responseCode: { code: 302 } }],
      connection: { further: followed },
    });
    expect(call.tracker.finish()).toEqual([]);
  });
});

describe('a transfer', () => {
  beforeEach(() => {
    call.invite();
    call.answer();
  });

  it('is reported when the call ends, and joins the call that it led to', () => {
    const headers = ['Refer-To: <sip:carol@example.test>', 'Referred-By: <sip:bob@example.test>'];
    call.receive(request('REFER', { ...BY_BOB, cseq: 1, headers }));
    call.invite({ callId: 'call-2', to: '<sip:carol@example.test>', headers: headers.slice(1) });
    call.answer({ callId: 'call-2', to: '<sip:carol@example.test>;tag=c' });
    call.bye({ ...BY_BOB, cseq: 2 });
    expect(call.records.map(({ connection }) => connection.conversationId)).toEqual(Array(5).fill('call-1'));
    expect(call.records[3]?.events[0]).toMatchObject({ kind: 'start', referredBy: 'sip:bob@example.test' });
    expect(extensions(call).at(-1)).toEqual({
      EndedBy: 'Callee',
      TransferredTo: 'sip:carol@example.test',
      TransferredBy: 'Callee',
    });
  });

  it('joins the call whose Request-URI is its target, if it is referred by a party', () => {
    const headers = ['Refer-To: <sip:carol@example.test>'];
    call.receive(request('REFER', { ...BY_BOB, cseq: 1, headers }));
    const byProxy = {
      target: 'sip:carol@example.test',
      to: '<sip:desk@example.test>',
      from: '<sip:pbx@example.test>;tag=p',
    };
    call.invite({ callId: 'call-2', ...byProxy });
    call.invite({ callId: 'call-3', ...byProxy, headers: ['Referred-By: <sip:bob@example.test>'] });
    const joined = call.records.slice(-2).map(({ connection }) => connection.conversationId);
    expect(joined).toEqual(['call-2', 'call-1']);
  });

  it('with consultation joins the replaced call and its successor', () => {
    call.invite({ callId: 'call-2', to: '<sip:carol@example.test>' });
    const target = '<sip:carol@example.test?Replaces=call-2%3Bto-tag%3Dc%3Bfrom-tag%3Da1>';
    call.receive(request('REFER', { ...BY_BOB, cseq: 1, headers: [`Refer-To: ${target}`] }));
    const replaces = 'call-2;to-tag=c;from-tag=a1';
    call.invite({ callId: 'call-3', to: '<sip:carol@example.test>', headers: [`Replaces: ${replaces}`] });
    call.answer({ callId: 'call-3' });
    call.answer({ callId: 'call-2', to: '<sip:carol@example.test>;tag=c' });
    expect(call.records.map(({ connection }) => `${connection.callId} ${connection.conversationId}`)).toEqual([
      'call-1 call-1',
      'call-1 call-1',
      'call-2 call-2',
      'call-3 call-1',
      'call-3 call-1',
      'call-2 call-1',
    ]);
    expect(call.records[4]?.events[0]).toMatchObject({ replaces });
  });

  it.each(['<sip:carol@example.test?Replaces=%', 'nonsense', '', '<sip:x?Replaces=unknown%3Bto-tag%3D1>'])(
    'to %j is ignored',
    (target) => {
      expect(call.receive(request('REFER', { ...BY_BOB, cseq: 1, headers: [`Refer-To: ${target}`] }))).toEqual([]);
    },
  );
});
