import * as fc from 'fast-check';
import { u16, u32 } from '@ringdown/capture/test/write-hep.js';
import { readRtcp } from './read-rtcp.js';
import { readRtcpJson } from './read-rtcp-json.js';
import { readVoiceReport } from './read-voice-report.js';

function part(type: number, count: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | count, type]), u16(body.length / 4), body]);
}

const SSRC = u32(7);
const block = Buffer.concat([u32(9), Buffer.from([64, 0, 0, 5]), u32(1_000), u32(160), u32(0), u32(0)]);
const senderInformation = Buffer.concat([u32(1), u32(2), u32(3), u32(1_234), u32(99)]);
const voice = Buffer.from([
  7, 0, 0, 8, 0, 0, 0, 9, 32, 0, 10, 10, 0, 20, 1, 244, 0, 150, 0, 80, 0, 0, 0, 16, 90, 127, 41, 40, 0, 0, 39, 127, 0,
  0, 0, 0,
]);

describe('readRtcp', () => {
  it('returns sent packets, loss and jitter', () => {
    const packet = Buffer.concat([part(200, 1, Buffer.concat([SSRC, senderInformation, block])), part(202, 0, SSRC)]);
    expect(readRtcp(packet)).toEqual({ sentPackets: 1_234, blocks: [{ lossRate: 0.25, jitterTicks: 160 }] });
  });

  it('returns the voice measurements of an extended report', () => {
    const packet = Buffer.concat([part(201, 0, SSRC), part(207, 0, Buffer.concat([SSRC, u32(0x01_00_00_00), voice]))]);
    expect(readRtcp(packet)).toEqual({
      blocks: [{ voice: { lossRate: 0.125, burstMs: 20, gapMs: 500, roundTripMs: 150, listeningMos: 3.9 } }],
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['RTP', Buffer.concat([Buffer.from([0x80, 0, 0, 1]), Buffer.alloc(20)])],
    ['a part that is longer than the packet', part(201, 1, Buffer.concat([SSRC, block])).subarray(0, 20)],
    ['another version', Buffer.from([0x40, 201, 0, 1, 0, 0, 0, 0])],
  ])('rejects %s', (_what, bytes) => {
    expect(readRtcp(bytes)).toBeUndefined();
  });

  it('counts the blocks in the packet, not those that the header announces', () => {
    expect(readRtcp(part(201, 31, Buffer.concat([SSRC, block])))?.blocks).toHaveLength(1);
  });

  it('returns a bounded number of blocks for any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((tail) => Buffer.concat([Buffer.from([0x81, 201]), tail]));
    fc.assert(fc.property(bytes, (packet) => expect(readRtcp(packet)?.blocks.length ?? 0).toBeLessThan(50)));
  });
});

describe('readRtcpJson', () => {
  const empty = { source_ssrc: 0, fraction_lost: 0, ia_jitter: 0 };

  it('ignores blocks that an agent fills with zeros', () => {
    const text = JSON.stringify({
      sender_information: { packets: 2 },
      report_blocks: [empty],
      report_blocks_xr: { type: 0, fraction_lost: 0 },
    });
    expect(readRtcpJson(text)).toEqual({ sentPackets: 2, blocks: [] });
  });

  it('returns voice measurements', () => {
    const xr = { type: 7, fraction_lost: 128, burst_duration: 20, gap_duration: 500, round_trip_delay: 90 };
    expect(readRtcpJson(JSON.stringify({ report_blocks_xr: xr }))).toEqual({
      blocks: [{ voice: { lossRate: 0.5, burstMs: 20, gapMs: 500, roundTripMs: 90 } }],
    });
  });

  it('ignores impossible numbers', () => {
    const blocks = [{ source_ssrc: 1, fraction_lost: 256, ia_jitter: -1 }, 7, null, 'x'];
    expect(readRtcpJson(JSON.stringify({ report_blocks: blocks }))).toEqual({ blocks: [{}] });
  });

  it.each(['', '{', '[]', '7', 'null', '{"a":1}', '"report_blocks"'])('rejects %j', (text) => {
    expect(readRtcpJson(text)).toBeUndefined();
  });
});

describe('readVoiceReport', () => {
  it('rejects a report without a call', () => {
    expect(readVoiceReport('VQSessionReport: CallTerm\r\nLocalMetrics:\r\n')).toBeUndefined();
    expect(readVoiceReport('hello\r\nCallID: x')).toBeUndefined();
    expect(readVoiceReport('VQSessionReport\nCallID: x')).toEqual({ callId: 'x' });
  });

  it('ignores impossible values', () => {
    const lines = [
      'CallID: x',
      'LocalAddr:IP=1 PORT=y',
      'LocalMetrics:',
      'PacketLoss:NLR=101',
      'Delay:RTD=0 IAJ=1e9',
      'QualityEst:MOSLQ=0',
    ];
    expect(readVoiceReport(`VQSessionReport\n${lines.join('\n')}`)).toEqual({ callId: 'x' });
  });
});
