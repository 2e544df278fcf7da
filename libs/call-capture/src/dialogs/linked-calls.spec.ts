import { BY_BOB, PlayedCall } from '../../test/played-call.js';
import { request, response, type MessageParts } from '../../test/sip-messages.js';

const CAROL = 'sip:carol@example.test';
const MOVED = [`Contact: <${CAROL}>`];
const BY_BOB_REFERRED = 'Referred-By: <sip:bob@example.test>';
const TO_CAROL = { callId: 'call-2', to: `<${CAROL}>` };

let call: PlayedCall;

/** The conversation that the last record of a call belongs to. */
function conversationOf(callId: string): string | undefined {
  return call.records.findLast(({ connection }) => connection.callId === callId)?.connection.conversationId;
}

/** Bob wants Alice to call Carol. */
function refer(parts: MessageParts = {}, target = CAROL): void {
  call.receive(request('REFER', { ...BY_BOB, headers: [`Refer-To: <${target}>`], ...parts }));
}

beforeEach(() => {
  call = new PlayedCall();
  call.invite();
});

describe('a REFER', () => {
  beforeEach(() => {
    call.answer();
  });

  it('joins the call of the referred party by Referred-By if a proxy has rewritten the target', () => {
    refer();
    call.invite({ callId: 'call-2', to: '<sip:+4930123@gateway.test>', headers: [BY_BOB_REFERRED] });
    expect(conversationOf('call-2')).toBe('call-1');
  });

  it('outside of the dialog joins the call that it names in Target-Dialog', () => {
    const headers = [`Refer-To: <${CAROL}>`, 'Target-Dialog: call-1;local-tag=b1;remote-tag=a1'];
    refer({ callId: 'refer-1', from: '<sip:bob@example.test>;tag=r', to: '<sip:alice@example.test>', headers });
    call.invite(TO_CAROL);
    expect(conversationOf('call-2')).toBe('call-1');
    call.bye(BY_BOB);
    expect(call.records.at(-1)?.connection.further).toEqual({
      EndedBy: 'Callee',
      TransferredTo: CAROL,
      TransferredBy: 'Callee',
    });
  });

  it('joins its own call if another call is transferred to the same address', () => {
    const erin = '<sip:erin@example.test>;tag=e1';
    call.invite({ callId: 'call-9', from: erin });
    call.answer({ callId: 'call-9', from: erin });
    refer();
    refer({ callId: 'call-9', to: erin });
    call.invite(TO_CAROL);
    call.invite({ ...TO_CAROL, callId: 'call-3', from: '<sip:erin@example.test>;tag=e2' });
    expect([conversationOf('call-2'), conversationOf('call-3')]).toEqual(['call-1', 'call-9']);
  });

  it('joins both legs that a back-to-back user agent makes of the call', () => {
    refer();
    call.invite(TO_CAROL);
    call.invite({ ...TO_CAROL, callId: 'call-3' });
    expect([conversationOf('call-2'), conversationOf('call-3')]).toEqual(['call-1', 'call-1']);
  });

  it.each<[string, () => void, MessageParts]>([
    ['that was rejected', () => [refer(), call.receive(response('603 Decline', 'REFER', BY_BOB))], {}],
    ['a minute ago', () => [refer(), call.pass(60_000)], {}],
    ['of which the referrer calls the target', () => refer(), { from: '<sip:bob@example.test>;tag=b7' }],
    ['for another method', () => refer({}, `${CAROL};method=BYE`), {}],
    ['to another address', () => refer({}, 'sip:dora@example.test'), {}],
    ['to another port', () => refer({}, 'sip:carol@example.test:5070'), {}],
    ['by another party', () => refer({}, 'sip:dora@example.test'), { headers: ['Referred-By: <sip:x@example.test>'] }],
    [
      'in a call of other parties',
      () => refer({}, 'sip:dora@example.test'),
      { from: '<sip:erin@example.test>;tag=e', headers: [BY_BOB_REFERRED] },
    ],
    [
      'whose call was over when the party calls the target again',
      () => [refer(), call.invite({ ...TO_CAROL, callId: 'call-8' }), call.pass(10_000)],
      {},
    ],
    [
      'with a Target-Dialog of other tags',
      () =>
        refer({
          callId: 'refer-1',
          headers: [`Refer-To: <${CAROL}>`, 'Target-Dialog: call-1;local-tag=x;remote-tag=y'],
        }),
      {},
    ],
  ])('%s joins no call', (_what, prepare, parts) => {
    prepare();
    call.invite({ ...TO_CAROL, ...parts });
    expect(conversationOf('call-2')).toBe('call-2');
  });

  it('joins no call by Referred-By alone if the same party was referred in two calls', () => {
    call.invite({ callId: 'call-9' });
    call.answer({ callId: 'call-9' });
    refer();
    refer({ callId: 'call-9' }, 'sip:dora@example.test');
    call.invite({ callId: 'call-2', to: '<sip:frank@example.test>', headers: [BY_BOB_REFERRED] });
    expect(conversationOf('call-2')).toBe('call-2');
  });
});

describe('a redirection', () => {
  function redirect(parts: MessageParts = {}): void {
    call.receive(response('302 Moved Temporarily', 'INVITE', { headers: MOVED, ...parts }));
  }

  it('joins its own call if another call is redirected to the same address', () => {
    const erin = { callId: 'call-9', from: '<sip:erin@example.test>;tag=e1' };
    call.invite(erin);
    redirect();
    redirect(erin);
    call.invite(TO_CAROL);
    expect(conversationOf('call-2')).toBe('call-1');
  });

  it.each<[string, () => void]>([
    ['that the proxy followed', () => [redirect({ branch: 'z9hG4bK-fork' }), call.answer()]],
    [
      'of one device, before the failure of the call',
      () => [redirect({ branch: 'z9hG4bK-fork' }), call.receive(response('486 Busy Here', 'INVITE'))],
    ],
    [
      'that the caller followed in the same call',
      () => [redirect(), call.invite({ cseq: 2, branch: 'z9hG4bK-2', target: CAROL })],
    ],
    ['a minute ago', () => [redirect(), call.pass(60_000)]],
  ])('%s joins no other call', (_what, prepare) => {
    prepare();
    call.invite(TO_CAROL);
    expect(conversationOf('call-2')).toBe('call-2');
  });
});

describe.each(['Replaces', 'Join'])('%s', (name) => {
  const anyone = { callId: 'call-2', from: '<sip:dora@example.test>;tag=d1', to: '<sip:desk@example.test>' };

  it.each<[string, boolean, string]>([
    ['an answered call', true, 'call-1;to-tag=b1;from-tag=a1'],
    ['an answered call, seen from the other side', true, 'call-1 ; from-tag=b1 ; to-tag=a1'],
    ['a ringing device', false, 'call-1;to-tag=b2;from-tag=a1;early-only'],
    ['a call by its id only', true, 'call-1'],
  ])('of %s joins the calls', (_what, isAnswered, value) => {
    call.receive(response('180 Ringing', 'INVITE', { to: '<sip:bob@example.test>;tag=b2' }));
    if (isAnswered) call.answer();
    call.invite({ ...anyone, headers: [`${name}: ${value}`] });
    expect(conversationOf('call-2')).toBe('call-1');
  });

  it.each([
    'call-1;to-tag=x;from-tag=a1',
    'call-1;to-tag=b1;from-tag=x',
    'call-1;to-tag=a1;from-tag=a1',
    'x;to-tag=b1;from-tag=a1',
    ';to-tag=b1',
    '',
  ])('of another dialog, %j, does not join the calls', (value) => {
    call.answer();
    call.invite({ ...anyone, headers: [`${name}: ${value}`] });
    expect(conversationOf('call-2')).not.toBe('call-1');
  });

  it('of a call that was not captured counts less than a REFER', () => {
    call.answer();
    refer();
    call.invite({ ...TO_CAROL, headers: [`${name}: unseen;to-tag=1;from-tag=2`] });
    call.invite({ ...anyone, callId: 'call-3', headers: [`${name}: unseen;to-tag=1;from-tag=2`] });
    expect([conversationOf('call-2'), conversationOf('call-3')]).toEqual(['call-1', 'unseen']);
  });
});
