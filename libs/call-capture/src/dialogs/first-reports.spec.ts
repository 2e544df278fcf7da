import { PlayedCall } from '../../test/played-call.js';
import { SimulatedReceiver, type WrittenReport } from '../../test/simulated-receiver.js';
import { request, response, sdp } from '../../test/sip-messages.js';

const ALICE = { ip: '192.0.2.10', port: 4_001 };
const BOB = { ip: '192.0.2.20', port: 5_001 };

/** The packets before the first report of a receiver have no count of their own: too many of them dilute the loss. */
describe('the loss by reports of a receiver alone', () => {
  let call: PlayedCall;
  let receiver: SimulatedReceiver;

  beforeEach(() => {
    call = new PlayedCall();
    receiver = new SimulatedReceiver(31_000);
  });

  function start(...lines: string[]): void {
    call.invite({ body: sdp('192.0.2.10', 4_000, { audio: lines }) });
    call.answer({ body: sdp('192.0.2.20', 5_000, { audio: lines }) });
  }

  function renegotiate(cseq: number, line: string): void {
    const to = '<sip:bob@example.test>;tag=b1';
    call.receive(request('INVITE', { cseq, to, body: sdp('192.0.2.10', 4_000, { audio: [line] }) }));
    call.receive(response('200 OK', 'INVITE', { cseq, body: sdp('192.0.2.20', 5_000, { audio: [line] }) }));
  }

  /** Bob reports; `aheadMs`: of the clock of the agent that captures it. */
  function report({ lossRate, lost, highest, jitterTicks }: WrittenReport, aheadMs: number, packets?: number): void {
    const sent = { ntp_timestamp_sec: 0, ntp_timestamp_usec: 0, packets };
    const information = packets === undefined ? { type: 201 } : { type: 200, sender_information: sent };
    const block = { source_ssrc: 1, fraction_lost: lossRate * 256, packets_lost: lost, highest_seq_no: highest };
    call.clock += aheadMs;
    call.report(
      BOB,
      ALICE,
      { ssrc: 2, ...information, report_blocks: [{ ...block, ia_jitter: jitterTicks }] },
      'call-1',
    );
    call.clock -= aheadMs;
  }

  interface Talk {
    readonly seconds: number;
    readonly packetsPerSecond?: number;
    readonly aheadMs?: number;
    /** The last report is the only one. */
    readonly isOne?: boolean;
    /** What Bob has sent himself. */
    readonly sentByBob?: number;
    /** Of 10 packets one is lost; from this second on, and until another one. */
    readonly lossFrom?: number;
    readonly lossUntil?: number;
    /** The agent keeps all packets and sends them at once. */
    readonly isKept?: boolean;
  }

  /** Bob reports each five seconds. */
  function talk({ seconds, packetsPerSecond = 50, aheadMs = 0, isOne = false, sentByBob, ...more }: Talk): void {
    const { lossFrom = 0, lossUntil = seconds, isKept = false } = more;
    for (let second = 5; second <= seconds; second += 5) {
      for (let n = 0; n < 5 * packetsPerSecond; n++) {
        receiver.packet(n % 10 === 5 && second > lossFrom && second <= lossUntil ? 'is lost' : 'arrives');
      }
      if (isKept) call.clock += 5_000;
      else call.pass(5_000);
      const written = receiver.report(call.now);
      if (!isOne || second === seconds) report(written, aheadMs, sentByBob);
    }
  }

  /** The last one that records have. */
  function lossTowardBob(kind = 'qualityUpdate'): number {
    if (kind === 'qualityUpdate') call.bye();
    call.pass(5_000);
    const events = call.records.flatMap((record) => record.events);
    const event = events.findLast((each) => each.kind === kind && 'to' in each && each.to?.id === 'b1');
    const metrics: Readonly<Record<string, { value?: unknown }>> = event && 'metrics' in event ? event.metrics : {};
    return Number(metrics['PacketLossRate']?.value);
  }

  it.each([-300, -20, 60, 300, 7_200])('does not depend on the clock of their agent, %d seconds ahead', (ahead) => {
    start();
    talk({ seconds: 60, aheadMs: ahead * 1_000 });
    expect(lossTowardBob()).toBeCloseTo(0.1, 2);
  });

  it.each([-300, 300, 7_200])('is that of later loss, too, with a clock %d seconds ahead', (ahead) => {
    start();
    talk({ seconds: 60, aheadMs: ahead * 1_000, lossFrom: 30 });
    expect(lossTowardBob()).toBeCloseTo(0.05, 2);
  });

  it.each([-300, 300, 7_200])('is that of one report alone, with a clock %d seconds ahead', (ahead) => {
    start();
    talk({ seconds: 60, aheadMs: ahead * 1_000, isOne: true });
    expect(lossTowardBob()).toBeCloseTo(0.1, 2);
  });

  it('is that of the whole call in one report that its agent has sent at once with the messages before it', () => {
    start();
    talk({ seconds: 60, isOne: true, lossUntil: 5, isKept: true });
    expect(lossTowardBob()).toBeCloseTo(25 / 3_000, 3);
  });

  it('does not depend on the clock of their agent during the call', () => {
    start();
    talk({ seconds: 40, aheadMs: 7_200_000, lossFrom: 20 });
    // The last report is one interval old: 50 of 1,500.
    expect(lossTowardBob('inCallQuality')).toBeCloseTo(0.0333, 3);
  });

  it('is that of the media, which begin after the answer', () => {
    start();
    call.pass(30_000);
    talk({ seconds: 30 });
    expect(lossTowardBob()).toBeCloseTo(0.1, 2);
  });

  it('is that of the media in one report, which begin after the answer, by what its sender has sent', () => {
    start();
    call.pass(30_000);
    talk({ seconds: 30, isOne: true, sentByBob: 1_500 });
    expect(lossTowardBob()).toBeCloseTo(0.1, 2);
  });

  it('is not that of the last seconds alone in one report', () => {
    start();
    talk({ seconds: 60, isOne: true, lossFrom: 55, sentByBob: 3_000 });
    expect(lossTowardBob()).toBeCloseTo(25 / 3_000, 2);
  });

  it('has no packets before a report without blocks', () => {
    start();
    for (let second = 5; second <= 30; second += 5) {
      call.pass(5_000);
      call.report(BOB, ALICE, { ssrc: 2, type: 201, report_blocks: [] }, 'call-1');
    }
    talk({ seconds: 30, lossFrom: 15 });
    expect(lossTowardBob()).toBeCloseTo(0.05, 2);
  });

  it.each(['inactive', 'sendonly by Bob'])('has no packets of the time on hold, %s', (how) => {
    start(how === 'inactive' ? 'a=inactive' : 'a=recvonly');
    call.pass(120_000);
    renegotiate(2, 'a=sendrecv');
    talk({ seconds: 30, lossFrom: 15 });
    expect(lossTowardBob()).toBeCloseTo(0.05, 2);
  });

  it('has the packets that the session description names if there is one report', () => {
    start('a=ptime:50');
    talk({ seconds: 60, packetsPerSecond: 20, isOne: true });
    expect(lossTowardBob()).toBeCloseTo(0.1, 2);
  });

  it('has the packets of the count that the sender reports later', () => {
    start();
    call.pass(30_000);
    const sender = { ntp_timestamp_sec: 0, ntp_timestamp_usec: 0 };
    for (let second = 5; second <= 30; second += 5) {
      talk({ seconds: 5, lossFrom: second > 15 ? 0 : 10 });
      const information = { ...sender, packets: receiver.sent };
      call.report(ALICE, BOB, { ssrc: 1, type: 200, sender_information: information, report_blocks: [] }, 'call-1');
    }
    expect(lossTowardBob()).toBeCloseTo(0.05, 2);
  });
});
