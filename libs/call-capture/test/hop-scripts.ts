import type { HopCall } from './hop-call.js';
import { sdp } from './sip-messages.js';

const OFFER = sdp('192.0.2.10', 4_000);
const ANSWER = sdp('192.0.2.20', 5_000);

export type HopScript = (call: HopCall) => HopCall;

const answered = (call: HopCall, cseq = 1, at = 0): HopCall =>
  call
    .request(at, 'alice', 'INVITE', { cseq, isFirst: true, body: OFFER })
    .response(at + 100, 'alice', '180 Ringing', 'INVITE', { cseq })
    .response(at + 2_000, 'alice', '200 OK', 'INVITE', { cseq, body: ANSWER })
    .request(at + 2_050, 'alice', 'ACK', { cseq, branch: `ack${cseq}` });
const bye = (call: HopCall, by: 'alice' | 'bob', at = 62_000): HopCall =>
  call.request(at, by, 'BYE', { cseq: 9 }).response(at + 20, by, '200 OK', 'BYE', { cseq: 9 });

/** Calls from Alice to Bob; times in milliseconds. */
export const HOP_SCRIPTS: Readonly<Record<string, HopScript>> = {
  'ended by the caller': (call) => bye(answered(call), 'alice'),
  'ended by the callee': (call) => bye(answered(call), 'bob'),
  'answered at once': (call) =>
    bye(
      call
        .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
        .response(5, 'alice', '200 OK', 'INVITE', { body: ANSWER })
        .request(10, 'alice', 'ACK', { branch: 'ack' }),
      'alice',
    ),
  busy: (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(100, 'alice', '180 Ringing', 'INVITE')
      .response(3_000, 'alice', '486 Busy Here', 'INVITE')
      .request(3_010, 'alice', 'ACK'),
  'busy at once': (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(5, 'alice', '486 Busy Here', 'INVITE')
      .request(10, 'alice', 'ACK'),
  cancelled: (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(100, 'alice', '180 Ringing', 'INVITE')
      .request(5_000, 'alice', 'CANCEL', { isFirst: true })
      .response(5_001, 'alice', '200 OK', 'CANCEL')
      .response(5_001, 'alice', '487 Request Terminated', 'INVITE')
      .request(5_010, 'alice', 'ACK'),
  'ended with BYE before the answer': (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(100, 'alice', '180 Ringing', 'INVITE')
      .request(5_000, 'alice', 'BYE', { cseq: 2 })
      .response(5_001, 'alice', '200 OK', 'BYE', { cseq: 2 })
      .response(5_001, 'alice', '487 Request Terminated', 'INVITE')
      .request(5_010, 'alice', 'ACK'),
  challenged: (call) =>
    bye(
      answered(
        call
          .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
          .response(5, 'alice', '407 Proxy Authentication Required', 'INVITE', { device: 'p' })
          .request(8, 'alice', 'ACK', { device: 'p' }),
        2,
        10,
      ),
      'alice',
    ),
  'rejected after a challenge': (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(5, 'alice', '407 Proxy Authentication Required', 'INVITE', { device: 'p' })
      .request(8, 'alice', 'ACK', { device: 'p' })
      .request(10, 'alice', 'INVITE', { cseq: 2, isFirst: true, body: OFFER })
      .response(20, 'alice', '603 Decline', 'INVITE', { cseq: 2, headers: ['Reason: Q.850;cause=21'] })
      .request(25, 'alice', 'ACK', { cseq: 2 }),
  held: (call) =>
    bye(
      answered(call)
        .request(10_000, 'bob', 'INVITE', { cseq: 3, body: sdp('192.0.2.20', 5_000, { audio: ['a=sendonly'] }) })
        .response(10_010, 'bob', '200 OK', 'INVITE', {
          cseq: 3,
          body: sdp('192.0.2.10', 4_000, { audio: ['a=recvonly'] }),
        })
        .request(10_015, 'bob', 'ACK', { cseq: 3, branch: 'ack3' })
        .request(20_000, 'bob', 'INVITE', { cseq: 4, body: sdp('192.0.2.20', 5_000) })
        .response(20_010, 'bob', '200 OK', 'INVITE', { cseq: 4, body: sdp('192.0.2.10', 4_000) })
        .request(20_015, 'bob', 'ACK', { cseq: 4, branch: 'ack4' }),
      'bob',
    ),
  moved: (call) =>
    bye(
      answered(call)
        .request(10_000, 'alice', 'UPDATE', { cseq: 3, body: sdp('192.0.2.10', 4_100) })
        .response(10_005, 'alice', '200 OK', 'UPDATE', { cseq: 3, body: sdp('192.0.2.20', 5_100) }),
      'alice',
    ),
  'offered late': (call) =>
    bye(
      call
        .request(0, 'alice', 'INVITE', { isFirst: true })
        .response(100, 'alice', '180 Ringing', 'INVITE')
        .response(2_000, 'alice', '200 OK', 'INVITE', { body: ANSWER })
        .request(2_005, 'alice', 'ACK', { branch: 'ack1', body: OFFER }),
      'alice',
    ),
  'with early media': (call) =>
    bye(
      call
        .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
        .response(5, 'alice', '183 Session Progress', 'INVITE', { body: ANSWER })
        .request(10, 'alice', 'PRACK', { cseq: 2 })
        .response(15, 'alice', '200 OK', 'PRACK', { cseq: 2 })
        .request(20, 'alice', 'UPDATE', { cseq: 3, body: sdp('192.0.2.10', 4_200) })
        .response(25, 'alice', '200 OK', 'UPDATE', { cseq: 3, body: sdp('192.0.2.20', 5_200) })
        .response(30, 'alice', '200 OK', 'INVITE')
        .request(35, 'alice', 'ACK', { branch: 'ack1' }),
      'bob',
    ),
  'forked, of which one device is busy': (call) => {
    const fork = { branch: 'fork', device: 'c' };
    call.only('inner', (other) =>
      other
        .request(1, 'alice', 'INVITE', { ...fork, isFirst: true, body: OFFER })
        .response(500, 'alice', '486 Busy Here', 'INVITE', fork)
        .request(505, 'alice', 'ACK', fork),
    );
    return bye(answered(call), 'bob');
  },
  'answered by the second carrier': (call) => {
    const first = { branch: 'first', device: 'c' };
    call.only('inner', (other) =>
      other
        .request(-1, 'alice', 'INVITE', { ...first, isFirst: true, body: OFFER })
        .response(200, 'alice', '503 Service Unavailable', 'INVITE', first)
        .request(205, 'alice', 'ACK', first),
    );
    return bye(answered(call), 'alice');
  },
  'very short': (call) =>
    call
      .request(0, 'alice', 'INVITE', { isFirst: true, body: OFFER })
      .response(5, 'alice', '100 Trying', 'INVITE')
      .response(10, 'alice', '200 OK', 'INVITE', { body: ANSWER })
      .request(15, 'alice', 'ACK', { branch: 'ack' })
      .request(20, 'alice', 'BYE', { cseq: 2 })
      .response(25, 'alice', '200 OK', 'BYE', { cseq: 2 }),
};

export function hopScript(name: string): HopScript {
  const script = HOP_SCRIPTS[name];
  if (!script) throw new Error(`no script ${name}`);
  return script;
}
