import { PlayedCall } from '../../test/played-call.js';
import { request, sdp } from '../../test/sip-messages.js';

const LOSS = { report_blocks: [{ source_ssrc: 7, fraction_lost: 64, ia_jitter: 80 }] };
const VOICE_REPORT = [
  'VQSessionReport: CallTerm',
  'CallID: call-1',
  'LocalAddr:IP=192.0.2.20 PORT=5000 SSRC=1',
  'LocalMetrics:',
  'Timestamps:START=2025-10-09T08:53:20Z STOP=2025-10-09T08:54:20Z',
  'PacketLoss:NLR=5.0',
].join('\r\n');

describe('the record of the quality of a call', () => {
  let call: PlayedCall;

  function last(): object {
    call.bye();
    call.pass(5_000);
    return call.records.at(-1)?.connection ?? {};
  }

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.answer();
  });

  it('contains the times of the call, and the phone that measured', () => {
    call.rtcp('192.0.2.10', 4_001, LOSS);
    expect(last()).toMatchObject({
      originator: 'a1',
      startTime: '2025-10-09T08:53:22.0000000Z',
      endTime: '2025-10-09T08:53:23.0000000Z',
    });
  });

  it('contains no times if the clock of the capture was set back during the call', () => {
    call.rtcp('192.0.2.10', 4_001, LOSS);
    call.clock -= 3_600_000;
    expect(last()).not.toHaveProperty('startTime');
    expect(call.records.at(-1)?.connection).not.toHaveProperty('endTime');
  });

  it('contains the times of the phone if it reports them', () => {
    const parts = { callId: 'another', contentType: 'application/vq-rtcpxr', body: VOICE_REPORT };
    call.receive(request('PUBLISH', parts));
    expect(last()).toMatchObject({
      originator: 'b1',
      startTime: '2025-10-09T08:53:20Z',
      endTime: '2025-10-09T08:54:20Z',
    });
  });

  it.each([
    ['beside its tag', { from: '"Alice" <sip:alice@example.test>;tag=a1;epid=0123abcd' }, '0123abcd'],
    [
      'in its Contact',
      { headers: ['Contact: <sip:alice@192.0.2.10>;+sip.instance="<urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6>"'] },
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    ],
  ])('names the phone by the id of its device %s, which is its EPId', (_where, parts, epId) => {
    call = new PlayedCall();
    call.invite(parts);
    call.answer();
    call.rtcp('192.0.2.10', 4_001, LOSS);
    expect(last()).toMatchObject({ originator: epId });
    expect(call.records[0]?.events).toMatchObject([{ kind: 'invite', caller: { id: 'a1', epId } }]);
  });

  it('names no phone if both have measured', () => {
    call.rtcp('192.0.2.10', 4_001, LOSS);
    call.rtcp('192.0.2.20', 5_001, LOSS);
    expect(last()).not.toHaveProperty('originator');
  });

  it('contains the bandwidth that the receiver allows', () => {
    call = new PlayedCall();
    call.invite({ body: sdp('192.0.2.10', 4_000, { audio: ['b=AS:64'] }) });
    call.answer();
    call.rtcp('192.0.2.10', 4_001, LOSS);
    last();
    expect(call.records.at(-1)?.events).toMatchObject([{ metrics: { AppliedBandwidthLimit: { value: 64_000 } } }]);
  });
});
