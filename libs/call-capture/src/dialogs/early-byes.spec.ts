import { diagnosticsValue } from '@ringdown/xml-schemas/fields';
import { STARTS, words } from '../../test/event-words.js';
import { BY_BOB, CALLEE_SDP, PlayedCall } from '../../test/played-call.js';
import { request, response } from '../../test/sip-messages.js';

const TERMINATED = '487 Request Terminated';

function permutations(count: number): number[][] {
  const numbers = Array.from({ length: count }, (_, n) => n);
  if (count === 1) return [numbers];
  return permutations(count - 1).flatMap((each) => numbers.map((at) => each.toSpliced(at, 0, count - 1)));
}

/** RFC 3261, 15: the caller's phone may send a BYE in an early dialog. */
describe('a BYE of the caller before the answer', () => {
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.receive(response('180 Ringing', 'INVITE'));
  });

  function bye(...headers: string[]): void {
    call.bye({ cseq: 2, branch: 'z9hG4bK-bye', headers });
    call.receive(response('200 OK', 'BYE', { cseq: 2, branch: 'z9hG4bK-bye' }));
  }

  /** Kinds of all events, then code, who ended the call and the text of the reason. */
  function outcome(): readonly (string | undefined)[] {
    call.pass(60_000);
    const events = call.records.flatMap((record) => record.events);
    const ended = call.records.flatMap(({ connection }) => connection.further?.['EndedBy'] ?? []);
    const error = events.find((event) => event.kind === 'error');
    const code = error?.kind === 'error' ? error.responseCode?.code : undefined;
    const text =
      error?.kind === 'error' && error.diagnostics ? diagnosticsValue(error.diagnostics, 'reason') : undefined;
    return [...words(events), ...(code === undefined ? [] : [String(code)]), ...ended, ...(text ? [text] : [])];
  }

  it('is a call that failed with 487, ended by the caller', () => {
    bye();
    call.receive(response(TERMINATED, 'INVITE'));
    expect(outcome().slice(0, 4)).toEqual(['invite', 'error', '487', 'Caller']);
  });

  it.each(permutations(3))('is that also if all is captured at once, in the order %d %d %d', (...order) => {
    const { now } = call;
    const messages = [
      request('BYE', { cseq: 2, to: BY_BOB.from }),
      response(TERMINATED, 'INVITE'),
      response('200 OK', 'BYE', { cseq: 2 }),
    ];
    for (const n of order) {
      call.now = now;
      call.receiveAtOnce(messages[n] ?? Buffer.alloc(0));
    }
    expect(outcome().slice(0, 4)).toEqual(['invite', 'error', '487', 'Caller']);
  });

  it('gives the reason of the failure', () => {
    bye('Reason: Q.850;cause=31;text="Normal, unspecified"');
    call.receive(response(TERMINATED, 'INVITE'));
    expect(outcome()).toEqual(['invite', 'error', '487', 'Caller', 'Normal, unspecified']);
  });

  it('is the end of a call whose answer was not captured if no 487 follows, at the time of the BYE', () => {
    bye();
    const { clock, now } = call;
    expect(outcome()).toEqual(['invite', 'bye', 'Caller']);
    expect(call.records.at(-1)?.connection.timeStamp).toBe(
      new Date(clock + now - 1_000).toISOString().replace('Z', '0000Z'),
    );
  });

  it('ends the dialog with one device, while another one may answer', () => {
    const other = { to: '<sip:bob@example.test>;tag=b2' };
    call.receive(response('180 Ringing', 'INVITE', other));
    bye();
    call.receive(response('200 OK', 'INVITE', { ...other, body: CALLEE_SDP }));
    expect(outcome()).toEqual(['invite', ...STARTS]);
  });

  it('does not start a call whose answer was captured too late', () => {
    bye();
    call.answer();
    expect(outcome()).toEqual(['invite', 'bye', 'Caller']);
  });

  it('of the callee ends a call whose answer was not captured', () => {
    call.bye({ ...BY_BOB, cseq: 1 });
    expect(outcome()).toEqual(['invite', 'bye', 'Callee']);
  });
});
