import { ENDS, STARTS, alice, bob, words } from '../../test/event-words.js';
import { BY_BOB, CALLER_SDP, PlayedCall } from '../../test/played-call.js';
import { request, response, sdp } from '../../test/sip-messages.js';

let call: PlayedCall;

beforeEach(() => {
  call = new PlayedCall();
});

describe('a call with a wrong BYE, or with several devices', () => {
  it('ends with a BYE whose To tag fits no device', () => {
    call.invite();
    call.answer();
    expect(call.bye({ from: '<sip:mallory@example.test>;tag=m', to: '<sip:bob@example.test>;tag=odd' })).toEqual([]);
    expect(words(call.bye({ to: '<sip:bob@example.test>;tag=odd' }))).toEqual(ENDS);
  });

  it('ends with a BYE of the callee whose To tag does not fit', () => {
    call.invite();
    call.answer();
    expect(words(call.bye({ from: BY_BOB.from, to: '<sip:alice@example.test>;tag=odd', cseq: 1 }))).toEqual(ENDS);
  });

  it('continues with another device if the caller ends the dialog with the first of two that answered', () => {
    const other = { to: '<sip:bob@example.test>;tag=b2', body: sdp('192.0.2.30', 6_000) };
    call.invite();
    call.answer();
    expect(call.answer(other)).toEqual([]);
    const switched = call.bye();
    expect(words(switched)).toEqual(['ended audio', 'ended audio', ...STARTS]);
    expect(switched[2]).toMatchObject({ from: { id: 'a1' }, to: { id: 'b2', ip: '192.0.2.30', port: 6_000 } });
    expect(call.bye()).toEqual([]);
    const end = call.bye({ ...other, cseq: 10 });
    expect(words(end)).toEqual(ENDS);
    expect(end[2]).toMatchObject({ endpoints: [{ id: 'a1' }, { id: 'b2' }] });
  });

  it('does not end with a BYE to an unknown device while two devices have answered', () => {
    call.invite();
    call.answer();
    call.answer({ to: '<sip:bob@example.test>;tag=b2' });
    expect(call.bye({ to: '<sip:bob@example.test>;tag=odd' })).toEqual([]);
  });

  it('does not end with the BYE to a device that only rang', () => {
    call.invite();
    call.receive(response('180 Ringing', 'INVITE', { to: '<sip:bob@example.test>;tag=b2' }));
    call.answer();
    expect(call.bye({ to: '<sip:bob@example.test>;tag=b2' })).toEqual([]);
    expect(words(call.bye())).toEqual(ENDS);
  });
});

describe('a call of which not all is captured', () => {
  it('starts without the address of the callee if the answer has no session description', () => {
    call.invite();
    const [there] = call.answer({ body: '' });
    expect(there).toMatchObject({ kind: 'start', mediaType: 'audio', from: { ip: '192.0.2.10', port: 4_000 } });
    expect(there).toHaveProperty('to', bob);
    expect(words(call.bye())).toEqual(ENDS);
  });

  it('starts streams without a medium if no session description names audio or video', () => {
    call.invite({ body: '' });
    expect(call.answer({ body: '' })).toEqual([
      { kind: 'start', from: alice, to: bob, codecs: [] },
      { kind: 'start', from: bob, to: alice, codecs: [] },
    ]);
    expect(words(call.bye())).toEqual(['bye']);
  });

  it('starts at its answer if the ACK with the answer to the offer was not captured', () => {
    call.invite({ body: '' });
    expect(call.answer()).toEqual([]);
    expect(words(call.bye())).toEqual([...STARTS, ...ENDS]);
    expect(call.records.slice(1).map(({ connection }) => connection.timeStamp)).toEqual([
      '2025-10-09T08:53:22.0000000Z',
      '2025-10-09T08:53:23.0000000Z',
    ]);
  });

  it('starts with the ACK if that has no answer', () => {
    call.invite({ body: '' });
    call.answer();
    const [there] = call.receive(request('ACK', { to: BY_BOB.from }));
    expect(there).toMatchObject({ kind: 'start', mediaType: 'audio', to: { ip: '192.0.2.20' } });
  });

  it('reports an update if its beginning was not captured', () => {
    const parts = { cseq: 5, to: BY_BOB.from };
    expect(call.receive(request('INVITE', { ...parts, body: CALLER_SDP }))).toEqual([]);
    const updates = call.answer(parts);
    expect(words(updates)).toEqual(['update audio', 'update audio']);
    expect(updates[0]).toMatchObject({ from: { id: 'a1', ip: '192.0.2.10' }, to: { id: 'b1', ip: '192.0.2.20' } });
    expect(call.tracker.openCalls).toBe(1);
    expect(words(call.bye())).toEqual(ENDS);
  });

  it('reports an update of what the answer contains if the INVITE was not captured', () => {
    const updates = call.answer();
    expect(words(updates)).toEqual(['update audio', 'update audio']);
    expect(updates[0]).toMatchObject({ from: { id: 'a1', uri: alice.uri }, to: { ...bob, ip: '192.0.2.20' } });
    expect(call.answer()).toEqual([]);
    expect(words(call.bye())).toEqual(ENDS);
  });
});
