import { diagnosticsValue } from '@ringdown/xml-schemas/fields';
import { ENDS, STARTS, words } from '../../test/event-words.js';
import { PlayedCall } from '../../test/played-call.js';
import { BOB, request, response, type MessageParts } from '../../test/sip-messages.js';

const ELSEWHERE = 'Reason: SIP;cause=200;text="Call completed elsewhere"';
/** The INVITE as the proxy forwards it, to one or several devices. */
const BEHIND_PROXY = { branch: 'z9hG4bK-proxy' };
const OTHER_DEVICE = { branch: 'z9hG4bK-fork' };
const TERMINATED = '487 Request Terminated';

/** Code, who ended the call and the text of the reason, of each error. */
function failures(call: PlayedCall): readonly string[] {
  return call.records.flatMap(({ connection, events }) =>
    events.flatMap((event) => {
      if (event.kind !== 'error') return [];
      const reason = event.diagnostics && diagnosticsValue(event.diagnostics, 'reason');
      const hasReason = reason !== undefined && !reason.startsWith('See response code');
      return [`${event.responseCode?.code} ${connection.further?.['EndedBy']}${hasReason ? ` ${reason}` : ''}`];
    }),
  );
}

describe.each<[string, string[], string]>([
  ['without a reason', [], ''],
  ['with a reason', [String.raw`Reason: SIP;cause=487;text="Gone, \"asleep\""`], " Gone, 'asleep'"],
])('a call cancelled %s', (_with, headers, reason) => {
  let call: PlayedCall;

  function cancel(parts: MessageParts = {}): void {
    call.receive(request('CANCEL', { headers, ...parts }));
    call.receive(response('200 OK', 'CANCEL', parts));
  }

  function ring(parts: MessageParts = {}): void {
    call.receive(response('180 Ringing', 'INVITE', parts));
  }

  function terminate(parts: MessageParts = {}): void {
    call.receive(response(TERMINATED, 'INVITE', parts));
  }

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
  });

  function allFailures(): readonly string[] {
    call.pass(86_400_000);
    call.records.push(...call.tracker.finish());
    expect(call.forgotten).toEqual([]);
    return failures(call);
  }

  it('before the 100 is cancelled by the caller', () => {
    cancel();
    call.receive(response('100 Trying', 'INVITE', { to: BOB }));
    terminate();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('with a CANCEL that is sent again is cancelled once', () => {
    ring();
    cancel();
    cancel();
    terminate();
    terminate();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('at both sides of a proxy is cancelled once', () => {
    call.invite(BEHIND_PROXY);
    ring(BEHIND_PROXY);
    ring();
    cancel();
    cancel(BEHIND_PROXY);
    terminate(BEHIND_PROXY);
    terminate();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('is cancelled by the caller if its CANCEL was captured behind the proxy only', () => {
    call.invite(BEHIND_PROXY);
    ring(BEHIND_PROXY);
    cancel(BEHIND_PROXY);
    terminate(BEHIND_PROXY);
    terminate();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('while several devices ring is cancelled once, when the caller gets the 487', () => {
    for (const device of [BEHIND_PROXY, OTHER_DEVICE]) call.invite(device);
    ring(BEHIND_PROXY);
    ring({ ...OTHER_DEVICE, to: '<sip:bob@example.test>;tag=b2' });
    cancel();
    for (const device of [BEHIND_PROXY, OTHER_DEVICE]) cancel(device);
    for (const device of [BEHIND_PROXY, OTHER_DEVICE]) terminate(device);
    expect(failures(call)).toEqual([]);
    terminate();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('is over 32 s after a CANCEL without a final response', () => {
    ring();
    cancel();
    const { clock, now } = call;
    expect(call.pass(31_000)).toEqual([]);
    expect(words(call.pass(1_000))).toEqual(['error']);
    expect(call.records.at(-1)?.connection.timeStamp).toBe(
      new Date(clock + now - 1_000).toISOString().replace('Z', '0000Z'),
    );
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('is over at the end of a capture without a final response', () => {
    ring();
    cancel();
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('is over if the 487 was captured behind the proxy only', () => {
    call.invite(BEHIND_PROXY);
    cancel();
    cancel(BEHIND_PROXY);
    terminate(BEHIND_PROXY);
    call.pass(32_000);
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });

  it('after it was retried with a password is cancelled once', () => {
    const second = { cseq: 2, branch: 'z9hG4bK-2' };
    call.receive(response('407 Proxy Authentication Required', 'INVITE'));
    call.invite(second);
    ring(second);
    cancel(second);
    terminate(second);
    expect(allFailures()).toEqual([`487 Caller${reason}`]);
  });
});

describe('a CANCEL', () => {
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
  });

  it('that comes too late leaves the call active', () => {
    call.receive(request('CANCEL'));
    expect(words(call.answer())).toEqual(STARTS);
    expect(call.pass(60_000)).toEqual([]);
    expect(words(call.bye())).toEqual(ENDS);
    expect(failures(call)).toEqual([]);
  });

  it('of the proxy to a device that does not answer leaves the call ringing', () => {
    call.invite(BEHIND_PROXY);
    call.receive(request('CANCEL', BEHIND_PROXY));
    call.receive(response(TERMINATED, 'INVITE', BEHIND_PROXY));
    expect(call.pass(60_000)).toEqual([]);
    expect(words(call.answer())).toEqual(STARTS);
  });

  it('of the proxy is not the end by the caller, who gets another failure', () => {
    call.invite(BEHIND_PROXY);
    call.receive(request('CANCEL', BEHIND_PROXY));
    call.receive(response('408 Request Timeout', 'INVITE'));
    expect(failures(call)).toEqual(['408 undefined']);
  });

  it('of the proxy for a reason of its own is not the end by the caller', () => {
    call.invite(BEHIND_PROXY);
    call.receive(request('CANCEL', { ...BEHIND_PROXY, headers: ['Reason: SIP;cause=408;text="Timer C"'] }));
    call.receive(response(TERMINATED, 'INVITE'));
    expect(failures(call)).toEqual(['487 undefined Timer C']);
  });

  it.each(['480 Temporarily Unavailable', '408 Request Timeout', '302 Moved Temporarily'])(
    'of the caller that is answered with %s is the end by the caller',
    (status) => {
      call.receive(response('180 Ringing', 'INVITE'));
      call.receive(request('CANCEL'));
      call.receive(response(status, 'INVITE', { headers: ['Contact: <sip:carol@example.test>'] }));
      call.pass(86_400_000);
      expect(failures(call)).toEqual([`${status.slice(0, 3)} Caller`]);
    },
  );

  it('of the caller that crosses the answer of a busy callee is not the end by the caller', () => {
    call.receive(request('CANCEL'));
    call.receive(response('486 Busy Here', 'INVITE'));
    expect(failures(call)).toEqual(['486 undefined']);
  });

  it('of another request of the call has no effect', () => {
    call.receive(request('CANCEL', { cseq: 7, branch: 'z9hG4bK-7' }));
    call.receive(response(TERMINATED, 'INVITE'));
    expect(failures(call)).toEqual(['487 undefined']);
  });
});

describe('a CANCEL because another phone has answered', () => {
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.receive(response('180 Ringing', 'INVITE'));
  });

  it.each([
    [ELSEWHERE, 'Call completed elsewhere'],
    ['Reason: SIP ;cause=200 ;text="Call completed elsewhere"', 'Call completed elsewhere'],
    ['reason: sip;cause="200"', 'Call completed elsewhere'],
    ['Reason: Q.850;cause=26', 'Call completed elsewhere'],
    ['Reason: Q.850;cause=26;text="Non-selected user clearing"', 'Non-selected user clearing'],
    ['Reason: Q.850;cause=16, SIP;cause=200;text="Call completed elsewhere"', 'Call completed elsewhere'],
  ])('is not the end by the caller: %s', (header, text) => {
    call.receive(request('CANCEL', { headers: [header] }));
    call.receive(response(TERMINATED, 'INVITE'));
    expect(failures(call)).toEqual([`487 undefined ${text}`]);
  });

  it('is not the end by the caller if several headers say why', () => {
    call.receive(request('CANCEL', { headers: ['Reason: Q.850;cause=16;text="Terminated"', ELSEWHERE] }));
    call.receive(response(TERMINATED, 'INVITE'));
    expect(failures(call)).toEqual(['487 undefined Call completed elsewhere']);
  });

  it('is not the end by the caller without a final response, or if only that says why', () => {
    call.receive(request('CANCEL', { headers: [ELSEWHERE] }));
    call.pass(32_000);
    const other = new PlayedCall();
    other.invite();
    other.receive(request('CANCEL'));
    other.receive(response(TERMINATED, 'INVITE', { headers: [ELSEWHERE] }));
    expect([...failures(call), ...failures(other)]).toEqual(Array(2).fill('487 undefined Call completed elsewhere'));
  });
});
