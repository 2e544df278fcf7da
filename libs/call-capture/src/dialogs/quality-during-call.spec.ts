import { PlayedCall } from '../../test/played-call.js';
import { request } from '../../test/sip-messages.js';

describe('the quality during a call', () => {
  let call: PlayedCall;

  /** What Alice received. */
  function report(fractionLost: number): void {
    const block = { source_ssrc: 2, fraction_lost: fractionLost, ia_jitter: 80 };
    expect(call.rtcp('192.0.2.10', 4_001, { ssrc: 1, report_blocks: [block] })).toBe(true);
  }

  /** Kinds of the events in this time, with a report and a sweep each five seconds. */
  function kinds(seconds: number, fractionLost: number): string[] {
    return Array.from({ length: seconds / 5 }, () => {
      report(fractionLost);
      return call.pass(5_000);
    }).flatMap((events) => events.map(({ kind }) => kind));
  }

  function start(inCallPeriodMs = 30_000): void {
    call = new PlayedCall({ limits: { inCallPeriodMs } });
    call.invite();
    call.answer();
  }

  beforeEach(() => start());

  it('is reported at the period if there are new measurements', () => {
    report(0);
    expect(call.pass(1_000)).toEqual([]);
    expect(kinds(25, 0)).toEqual([]);
    expect(kinds(5, 0)).toEqual(['inCallQuality']);
    expect(kinds(60, 0)).toEqual(['inCallQuality', 'inCallQuality']);
    expect(call.pass(60_000)).toEqual([]);
  });

  it('has the metrics so far and the time of the last report', () => {
    kinds(30, 0);
    report(64);
    const [event] = call.pass(1_000);
    expect(event).toMatchObject({ kind: 'inCallQuality', mediaType: 'audio', from: { id: 'b1' }, to: { id: 'a1' } });
    expect(event && 'metrics' in event && event.metrics).toMatchObject({
      PacketLossRate: { value: 0.0415 },
      PacketLossRateMax: { value: 0.25 },
    });
    expect(call.records.at(-1)?.connection).toMatchObject({ timeStamp: '2025-10-09T08:53:52.0000000Z' });
  });

  it('has the time of the call if the clock of the capture agent is years away', () => {
    kinds(30, 0);
    call.clock += 24 * 365 * 86_400_000;
    report(0);
    call.clock -= 24 * 365 * 86_400_000;
    expect(call.pass(30_000).map(({ kind }) => kind)).toEqual(['inCallQuality']);
    expect(call.records.at(-1)?.connection).toMatchObject({ timeStamp: '2025-10-09T08:53:47.0000000Z' });
  });

  it('is reported when a threshold is crossed, at most each five seconds', () => {
    report(255);
    expect(call.pass(1_000).map(({ kind }) => kind)).toEqual(['inCallQuality']);
    for (let n = 0; n < 30; n++) report(0);
    expect(call.pass(1_000)).toEqual([]);
    report(0);
    expect(call.pass(4_000).map(({ kind }) => kind)).toEqual(['inCallQuality']);
  });

  it('is not reported if the period is 0', () => {
    start(0);
    expect(kinds(60, 255)).toEqual([]);
  });

  it('does not replace the report at the end', () => {
    expect(kinds(35, 0)).toEqual(['inCallQuality']);
    call.bye();
    expect(call.pass(5_000).map(({ kind }) => kind)).toEqual(['qualityUpdate']);
    expect(call.pass(5_000)).toEqual([]);
  });

  it('is reported as final when the call is forgotten', () => {
    expect(kinds(35, 0)).toEqual(['inCallQuality']);
    expect(call.pass(86_400_000).map(({ kind }) => kind)).toEqual(['qualityUpdate']);
    expect(call.forgotten).toEqual(['call-1 active: nothing followed']);
  });

  it('is reported as final when there are too many calls, and at the end of the input', () => {
    call = new PlayedCall({ limits: { calls: 1 } });
    call.invite();
    call.answer();
    report(0);
    expect(call.receive(request('INVITE', { callId: 'next' })).map(({ kind }) => kind)).toEqual([
      'qualityUpdate',
      'invite',
    ]);
    start();
    report(0);
    expect(call.tracker.finish().flatMap(({ events }) => events.map(({ kind }) => kind))).toEqual(['qualityUpdate']);
    expect(call.tracker.finish()).toEqual([]);
  });
});
