import { PlayedCall } from '../../../test/played-call.js';
import { request } from '../../../test/sip-messages.js';

describe('the quality of a call', () => {
  const block = {
    source_ssrc: 7,
    fraction_lost: 64,
    ia_jitter: 80,
    packets_lost: 5,
    highest_seq_no: 1,
    lsr: 0,
    dlsr: 0,
  };
  const report = {
    ssrc: 1,
    type: 200,
    report_count: 1,
    report_blocks: [block],
    sender_information: { packets: 1_000 },
  };
  let call: PlayedCall;

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.answer();
  });

  it('is reported when the call is over, for each measured direction', () => {
    expect(call.rtcp('192.0.2.10', 4_001, report)).toBe(true);
    expect(
      call.rtcp('192.0.2.10', 4_001, { ...report, report_blocks: [{ ...block, fraction_lost: 0, ia_jitter: 240 }] }),
    ).toBe(true);
    const ofBob = { ...report, ssrc: 7, sender_information: { packets: 2_000 } };
    expect(call.rtcp('192.0.2.20', 5_001, { ...ofBob, report_blocks: [{ ...block, source_ssrc: 1 }] })).toBe(true);
    call.bye();
    expect(call.pass(4_000)).toEqual([]);
    const events = call.pass(1_000);
    expect(events).toMatchObject([
      {
        kind: 'qualityUpdate',
        mediaType: 'audio',
        from: { id: 'b1' },
        to: { id: 'a1', port: 4_000 },
        codecs: [{ name: 'PCMU/8000' }],
      },
      { kind: 'qualityUpdate', mediaType: 'audio', from: { id: 'a1' }, to: { id: 'b1', port: 5_000 } },
    ]);
    expect(events.map((event) => 'metrics' in event && event.metrics)).toEqual([
      {
        PacketUtilization: { value: 1_750 },
        PacketLossRate: { value: 0.125 },
        PacketLossRateMax: { value: 0.25 },
        JitterInterArrival: { value: 20 },
        JitterInterArrivalMax: { value: 30 },
      },
      {
        PacketUtilization: { value: 750 },
        PacketLossRate: { value: 0.25 },
        PacketLossRateMax: { value: 0.25 },
        JitterInterArrival: { value: 10 },
        JitterInterArrivalMax: { value: 10 },
      },
    ]);
    expect(call.pass(1_000)).toEqual([]);
  });

  it('is not reported for a direction of which only the number of sent packets is known', () => {
    expect(call.rtcp('192.0.2.20', 5_001, { ssrc: 7, sender_information: { packets: 2_000 }, report_blocks: [] })).toBe(
      true,
    );
    expect(call.rtcp('192.0.2.10', 4_001, { ssrc: 1, report_blocks: report.report_blocks })).toBe(true);
    call.bye();
    expect(call.pass(5_000)).toMatchObject([{ kind: 'qualityUpdate', to: { id: 'a1' } }]);
    call = new PlayedCall();
    call.invite();
    call.answer();
    call.rtcp('192.0.2.20', 5_001, { ssrc: 7, sender_information: { packets: 2_000 }, report_blocks: [] });
    call.bye();
    expect(call.pass(5_000)).toEqual([]);
  });

  it('is added to the call that the capture agent names, or that uses the address', () => {
    expect(call.rtcp('192.0.2.10', 39_999, report, 'call-1')).toBe(true);
    expect(call.rtcp('203.0.113.9', 4_001, report, 'call-1')).toBe(false);
    expect(call.rtcp('203.0.113.9', 4_001, report)).toBe(false);
  });

  it('counts no packets without reports', () => {
    call.rtcp('192.0.2.10', 4_001, { ssrc: 1, report_blocks: [] });
    call.rtcp('203.0.113.9', 4_001, { ssrc: 1, report_blocks: [] });
    expect(call.tracker.reports.counts).toMatchObject({ counted: 0, uncounted: { 'unknown call': 0 } });
    call.rtcp('192.0.2.10', 4_001, report);
    expect(call.tracker.reports.counts.counted).toBe(1);
  });

  it('has the round trip from the times of reports as rtpengine writes them', () => {
    const ntp = (seconds: number): object => ({ ntp_timestamp_sec: 3_953_699_800 + seconds, ntp_timestamp_usec: 0 });
    const stamp = (seconds: number): number => ((3_953_699_800 + seconds) % 65_536) * 65_536;
    const sent = (ssrc: number, seconds: number, answered: object): object => ({
      ssrc,
      type: 200,
      sender_information: { ...ntp(seconds), packets: 1_000 },
      report_blocks: [{ source_ssrc: 3 - ssrc, fraction_lost: 0, ia_jitter: 80, ...answered }],
    });
    call.rtcp('192.0.2.10', 4_001, sent(1, 1, {}));
    call.now += 1_080;
    call.rtcp('192.0.2.20', 5_001, sent(2, 2, { lsr: stamp(1), dlsr: 65_536 }));
    call.now += 2_040;
    call.rtcp('192.0.2.10', 4_001, sent(1, 4, { lsr: stamp(2), dlsr: 2 * 65_536 }));
    call.bye();
    const trips = call.pass(5_000).map((event) => 'metrics' in event && event.metrics['RoundTrip']?.value);
    expect(trips).toEqual([120, 120]);
  });

  it('includes the report of a phone after the BYE', () => {
    call.bye();
    const body = [
      'VQSessionReport: CallTerm',
      'CallID: call-1',
      'LocalAddr:IP=192.0.2.20 PORT=5000 SSRC=1',
      'RemoteAddr:IP=192.0.2.10 PORT=4000 SSRC=2',
      'LocalMetrics:',
      'Timestamps:START=2025-10-09T08:53:20Z STOP=2025-10-09T08:54:20Z',
      'PacketLoss:NLR=5.0 JDR=2.0',
      'BurstGapLoss:BLD=12.5 BD=20 GLD=2.0 GD=500 GMIN=16',
      'Delay:RTD=200 ESD=140 IAJ=12 MAJ=30',
      'QualityEst:MOSLQ=3.9 MOSCQ=3.8',
      'RemoteMetrics:',
      'PacketLoss:NLR=0.0',
    ].join('\r\n');
    const parts = { callId: 'another', contentType: 'application/vq-rtcpxr', body };
    expect(call.receive(request('PUBLISH', parts))).toEqual([]);
    for (const other of [body.replace('call-1', 'call-2'), body.replaceAll('192.0.2', '10.0.0'), 'VQAlertReport']) {
      call.receive(request('PUBLISH', { ...parts, body: other }));
    }
    expect(call.tracker.reports.counts).toMatchObject({
      counted: 1,
      uncounted: { 'unknown call': 1, 'no evidence': 1, unreadable: 1 },
    });
    const events = call.pass(5_000);
    expect(events.map((event) => 'metrics' in event && event.metrics)).toEqual([
      {
        PacketLossRate: { value: 0.05 },
        JitterInterArrival: { value: 12 },
        JitterInterArrivalMax: { value: 30 },
        RoundTrip: { value: 200 },
        OverallAvgNetworkMOS: { value: 3.9 },
        BurstDuration: { value: 20 },
        BurstGapDuration: { value: 500 },
        BurstDensity: { value: 0.125 },
        BurstGapDensity: { value: 0.02 },
      },
      { PacketLossRate: { value: 0 } },
    ]);
    expect(events[0]).toMatchObject({ from: { id: 'a1' }, to: { id: 'b1' } });
    expect(call.records.at(-1)?.connection).toMatchObject({
      startTime: '2025-10-09T08:53:20Z',
      endTime: '2025-10-09T08:54:20Z',
    });
  });
});
