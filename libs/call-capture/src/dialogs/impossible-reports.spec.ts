import { PlayedCall } from '../../test/played-call.js';
import { request } from '../../test/sip-messages.js';

function voiceReport(...lines: readonly string[]): Buffer {
  const head = [
    'VQSessionReport: CallTerm',
    'CallID: call-1',
    'LocalAddr:IP=192.0.2.20 PORT=5000 SSRC=1',
    'LocalMetrics:',
  ];
  const body = [...head, ...lines].join('\r\n');
  return request('PUBLISH', { callId: 'another', contentType: 'application/vq-rtcpxr', body });
}

describe('a report with values that cannot be', () => {
  let call: PlayedCall;

  /** Metrics of the stream to Bob when the call is over. */
  function metricsOfBob(): object | undefined {
    call.bye();
    const event = call.pass(5_000).find((each) => 'to' in each && each.to?.id === 'b1');
    return event && 'metrics' in event ? event.metrics : undefined;
  }

  /** What Bob says of a stream. */
  function bob(about: number, values: object): string | undefined {
    const block = { source_ssrc: about, fraction_lost: 0, packets_lost: 0, ia_jitter: 80, ...values };
    const report = { ssrc: 2, type: 201, report_blocks: [block] };
    return call.report({ ip: '192.0.2.20', port: 5_001 }, { ip: '192.0.2.10', port: 4_001 }, report, 'call-1');
  }

  /** Alice shows the SSRC of her stream. */
  function alice(packets: number): void {
    call.rtcp('192.0.2.10', 4_001, { ssrc: 1, type: 200, sender_information: { packets }, report_blocks: [] });
  }

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.answer();
  });

  it('is counted, and counts with its other values', () => {
    call.receive(voiceReport('PacketLoss:NLR=5.0', 'Delay:RTD=60000 IAJ=-3', 'QualityEst:MOSLQ=9'));
    expect(metricsOfBob()).toEqual({ PacketLossRate: { value: 0.05 } });
    expect(call.tracker.reports.counts).toMatchObject({ counted: 0, uncounted: { 'impossible value': 1 } });
  });

  it('is not counted as wrong if the phone says that it does not know them', () => {
    call.receive(voiceReport('PacketLoss:NLR=0.0', 'Delay:RTD=65535 ESD=65535', 'QualityEst:MOSLQ=12.7'));
    expect(metricsOfBob()).toEqual({ PacketLossRate: { value: 0 } });
    expect(call.tracker.reports.counts.counted).toBe(1);
  });

  it('is not used if nobody uses its stream: these are the bytes of SRTCP', () => {
    alice(250);
    expect(bob(1, { highest_seq_no: 250 })).toBeUndefined();
    const encrypted = {
      fraction_lost: 210,
      packets_lost: 4_000_000,
      highest_seq_no: 3_000_000_000,
      ia_jitter: 3_405_691_582,
    };
    for (let n = 0; n < 40; n++) expect(bob(0xdead_0000 + n, encrypted)).toBe('impossible value');
    for (let n = 0; n < 40; n++) expect(bob(0xbeef_0000 + n, { fraction_lost: 210 })).toBe('unknown stream');
    expect(metricsOfBob()).toMatchObject({ PacketLossRate: { value: 0 }, JitterInterArrival: { value: 10 } });
  });

  it('keeps the loss of a known stream whose jitter is impossible', () => {
    alice(250);
    expect(bob(1, { highest_seq_no: 250, packets_lost: 50, fraction_lost: 51, ia_jitter: 4_294_967_295 })).toBe(
      'impossible value',
    );
    expect(metricsOfBob()).toMatchObject({ PacketLossRate: { value: 0.2 } });
    expect(metricsOfBob()).toBeUndefined();
  });

  it('counts a stream that is named again, with an SSRC that a relay has changed', () => {
    alice(250);
    expect(bob(77, { highest_seq_no: 250, fraction_lost: 64, packets_lost: 62 })).toBe('unknown stream');
    call.now += 5_000;
    expect(bob(77, { highest_seq_no: 500, fraction_lost: 64, packets_lost: 125, ia_jitter: 81 })).toBeUndefined();
    expect(metricsOfBob()).toMatchObject({ PacketLossRate: { value: 0.25 } });
  });
});

describe('the quality towards a receiver', () => {
  it('has the jitter of less than a millisecond', () => {
    const call = new PlayedCall();
    call.invite();
    call.answer();
    call.rtcp('192.0.2.10', 4_001, { ssrc: 1, report_blocks: [{ source_ssrc: 2, fraction_lost: 0, ia_jitter: 3 }] });
    call.bye();
    expect(call.pass(5_000)).toMatchObject([{ metrics: { JitterInterArrival: { value: 0.375 } } }]);
  });
});
