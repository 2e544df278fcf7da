import { PlayedCall } from '../../test/played-call.js';
import { request, response, sdp } from '../../test/sip-messages.js';

const ALICE = { ip: '192.0.2.10', port: 4_001 };
const BOB = { ip: '192.0.2.20', port: 5_001 };

describe('the reports of a receiver that gets nothing', () => {
  let call: PlayedCall;

  /** Alice counts what she has sent. */
  function alice(packets: number): void {
    const sender = { ntp_timestamp_sec: 0, ntp_timestamp_usec: 0, packets };
    call.report(ALICE, BOB, { ssrc: 1, type: 200, sender_information: sender, report_blocks: [] }, 'call-1');
  }

  /** Bob's block about her stream; null: his report has none. */
  function bob(highest: number | null, jitter = 8): void {
    const numbers = { fraction_lost: 0, packets_lost: 0, highest_seq_no: highest, ia_jitter: jitter };
    const blocks = highest === null ? [] : [{ source_ssrc: 1, ...numbers }];
    call.report(BOB, ALICE, { ssrc: 2, type: 201, report_blocks: blocks }, 'call-1');
  }

  /** One report each five seconds. */
  function during(seconds: number, report: (second: number) => void): void {
    for (let second = 5; second <= seconds; second += 5) {
      call.pass(5_000);
      report(second);
    }
  }

  function metrics(): Readonly<Record<string, unknown>> | undefined {
    call.bye();
    const event = call.pass(5_000).find((each) => 'to' in each && each.to?.id === 'b1');
    return event && 'metrics' in event ? event.metrics : undefined;
  }

  beforeEach(() => {
    call = new PlayedCall();
    call.invite();
    call.answer();
  });

  it('are a loss of all packets that the sender counts', () => {
    during(60, (second) => {
      alice(50 * second);
      bob(0);
    });
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 1 }, PacketUtilization: { value: 0 } });
  });

  it('are a loss of half of them if it stopped after half of the call', () => {
    during(60, (second) => {
      alice(50 * second);
      bob(Math.min(1_500, 50 * second), Math.min(second, 30));
    });
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 0.5 }, PacketUtilization: { value: 1_500 } });
  });

  it('are a loss also if they have no block any more', () => {
    during(60, (second) => {
      alice(50 * second);
      bob(second <= 30 ? 50 * second : null, second);
    });
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 0.5 } });
  });

  it.each([
    ['from the beginning', 0],
    ['after half of the call', 1_500],
  ])('are unknown without the count of the sender, %s', (_when, most) => {
    during(60, (second) => bob(Math.min(most, 50 * second), Math.min(second, most / 50)));
    expect(metrics()).toBeUndefined();
  });

  it('are unknown if there was never a block', () => {
    during(60, (second) => {
      alice(50 * second);
      bob(null);
    });
    expect(metrics()).toBeUndefined();
  });

  it('are no loss while the sender sends nothing', () => {
    during(60, (second) => {
      alice(Math.min(1_500, 50 * second));
      bob(Math.min(1_500, 50 * second), Math.min(second, 30));
    });
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 0 } });
  });

  it('are no loss on hold', () => {
    during(30, (second) => bob(50 * second, second));
    const held = { cseq: 2, to: '<sip:bob@example.test>;tag=b1' };
    call.receive(request('INVITE', { ...held, body: sdp('192.0.2.10', 4_000, { audio: ['a=inactive'] }) }));
    call.receive(response('200 OK', 'INVITE', { cseq: 2, body: sdp('192.0.2.20', 5_000, { audio: ['a=inactive'] }) }));
    during(60, () => bob(1_500, 30));
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 0 } });
  });

  it('are unknown also where the stream was captured on its way, if there was never a block', () => {
    capture(() => bob(null));
    const { PacketLossRate, CapturedPacketLossRate } = metrics() ?? {};
    expect([PacketLossRate, CapturedPacketLossRate]).toEqual([undefined, { value: 0 }]);
  });

  it('say nothing of a captured stream if there is one only', () => {
    capture((n) => n === 249 && bob(null));
    expect(metrics()).toMatchObject({ PacketLossRate: { value: 0 } });
  });

  /** Alice's stream, with what follows each fifth second. */
  function capture(report: (n: number) => void): void {
    const header = Buffer.from([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    const payload = Buffer.concat([header, Buffer.alloc(160)]);
    for (let n = 0; n < 3_000; n++) {
      payload.writeUInt16BE(n, 2);
      payload.writeUInt32BE(160 * n, 4);
      const [source, destination] = [
        { ...ALICE, port: 4_000 },
        { ...BOB, port: 5_000 },
      ];
      call.tracker.addRtp({ source, destination, payload: Buffer.from(payload) }, call.clock + call.now);
      call.pass(20);
      if (n % 250 === 249) report(n);
    }
  }

  it('are a loss of what was captured if the sender sends no reports', () => {
    capture((n) => bob(Math.min(n, 1_500), Math.min(n, 1_500)));
    const { PacketLossRate, CapturedPacketLossRate } = metrics() ?? {};
    expect(CapturedPacketLossRate).toEqual({ value: 0 });
    expect(PacketLossRate).toEqual({ value: expect.closeTo(0.5, 1) });
  });
});
