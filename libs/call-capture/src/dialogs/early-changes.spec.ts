import { BY_BOB, CALLEE_SDP, CALLER_SDP, PlayedCall } from '../../test/played-call.js';
import { request, response, sdp } from '../../test/sip-messages.js';
import type { RecordEvent } from '@ringdown/xml-schemas/record';

const TO_BOB = { to: BY_BOB.from };
const RELIABLE = { body: CALLEE_SDP, headers: ['Require: 100rel', 'RSeq: 1'] };

let call: PlayedCall;

/** From and to of each stream. */
function addresses(events: readonly RecordEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind !== 'start') return [];
    return [event.from, event.to].map((end) => `${end?.ip}:${end?.port}`).join(' ');
  });
}

function between(caller: string, callee: string): readonly string[] {
  return [`${caller} ${callee}`, `${callee} ${caller}`];
}

beforeEach(() => {
  call = new PlayedCall();
});

describe('the media of an answered call', () => {
  it('have the answer of a PRACK to the offer of a ringing device', () => {
    call.invite({ body: '' });
    call.receive(response('183 Session Progress', 'INVITE', RELIABLE));
    call.receive(request('PRACK', { ...TO_BOB, cseq: 2, body: CALLER_SDP }));
    call.receive(response('200 OK', 'PRACK', { cseq: 2 }));
    expect(addresses(call.answer({ body: '' }))).toEqual(between('192.0.2.10:4000', '192.0.2.20:5000'));
  });

  it('have the answer of the caller, not that of a relay that is captured at a later hop', () => {
    const behindProxy = { branch: 'z9hG4bK-proxy' };
    call.invite({ body: '' });
    call.receive(response('183 Session Progress', 'INVITE', RELIABLE));
    call.receive(request('PRACK', { ...TO_BOB, cseq: 2, body: CALLER_SDP }));
    call.receive(request('PRACK', { ...TO_BOB, ...behindProxy, cseq: 2, body: sdp('198.51.100.1', 9_000) }));
    call.receive(response('200 OK', 'PRACK', { ...behindProxy, cseq: 2 }));
    call.receive(response('200 OK', 'PRACK', { cseq: 2 }));
    expect(addresses(call.answer({ body: '' }))).toEqual(between('192.0.2.10:4000', '192.0.2.20:5000'));
  });

  it('have the new offer of a PRACK', () => {
    call.invite();
    call.receive(response('183 Session Progress', 'INVITE', RELIABLE));
    call.receive(request('PRACK', { ...TO_BOB, cseq: 2, body: sdp('192.0.2.11', 4_444) }));
    call.receive(response('200 OK', 'PRACK', { cseq: 2, body: sdp('192.0.2.21', 5_555) }));
    expect(addresses(call.answer({ body: '' }))).toEqual(between('192.0.2.11:4444', '192.0.2.21:5555'));
  });

  it.each<[string, object, boolean]>([
    ['caller', { ...TO_BOB, cseq: 2 }, true],
    ['ringing device', { ...BY_BOB, cseq: 1 }, false],
  ])('have the last change by the %s before the answer', (_side, parts, isCallers) => {
    call.invite();
    call.receive(response('183 Session Progress', 'INVITE', { body: CALLEE_SDP }));
    const [caller, callee] = [sdp('192.0.2.11', 4_444), sdp('192.0.2.21', 5_555)];
    call.receive(request('UPDATE', { ...parts, body: isCallers ? caller : callee }));
    call.receive(response('200 OK', 'UPDATE', { ...parts, body: isCallers ? callee : caller }));
    expect(addresses(call.answer({ body: '' }))).toEqual(between('192.0.2.11:4444', '192.0.2.21:5555'));
  });

  it('are not changed by an early UPDATE that was rejected, or of another device', () => {
    const other = { cseq: 3, to: '<sip:bob@example.test>;tag=b2' };
    call.invite();
    call.receive(response('183 Session Progress', 'INVITE', { body: CALLEE_SDP }));
    call.receive(request('UPDATE', { ...TO_BOB, cseq: 2, body: sdp('192.0.2.11', 4_444) }));
    call.receive(response('488 Not Acceptable Here', 'UPDATE', { cseq: 2 }));
    call.receive(request('UPDATE', { ...other, body: sdp('192.0.2.11', 4_444) }));
    call.receive(response('200 OK', 'UPDATE', { ...other, body: sdp('192.0.2.21', 5_555) }));
    expect(addresses(call.answer({ body: '' }))).toEqual(between('192.0.2.10:4000', '192.0.2.20:5000'));
  });
});
