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
    expect(readRtcp(packet)).toEqual({
      ssrcs: [7],
      cnames: [],
      senders: [{ ssrc: 7, packets: 1_234, stamp: 0x0001_0000 }],
      blocks: [{ ssrc: 9, lossRate: 0.25, lost: 5, highest: 1_000, jitterTicks: 160 }],
    });
  });

  it('returns the names in a source description, as far as its items are complete', () => {
    const item = (type: number, text: string): Buffer => Buffer.from([type, text.length, ...Buffer.from(text)]);
    const padded = (...items: Buffer[]): Buffer => {
      const all = Buffer.concat([...items, Buffer.from([0])]);
      return Buffer.concat([all, Buffer.alloc((4 - (all.length % 4)) % 4)]);
    };
    const chunks = [SSRC, padded(item(2, 'Alice'), item(1, 'a@10.0.0.1')), u32(8), padded(item(1, 'abc'))];
    expect(readRtcp(part(202, 2, Buffer.concat(chunks)))?.cnames).toEqual(['a@10.0.0.1', 'abc']);
    const lying = part(202, 31, Buffer.concat([SSRC, Buffer.from([1, 200, 65, 65])]));
    expect(readRtcp(lying)?.cnames).toEqual([]);
  });

  it('returns the last sender report that the receiver names', () => {
    const answer = Buffer.concat([u32(9), Buffer.alloc(12), u32(0x1234_5678), u32(65_536)]);
    expect(readRtcp(part(201, 1, Buffer.concat([SSRC, answer])))?.blocks).toMatchObject([
      { ssrc: 9, lastReport: { stamp: 0x1234_5678, delay: 65_536 } },
    ]);
  });

  it('returns the voice measurements of an extended report', () => {
    const packet = Buffer.concat([part(201, 0, SSRC), part(207, 0, Buffer.concat([SSRC, u32(0x01_00_00_00), voice]))]);
    expect(readRtcp(packet)).toMatchObject({
      blocks: [
        {
          ssrc: 9,
          voice: {
            lossRate: 0.125,
            burstDensity: 10 / 256,
            gapDensity: 10 / 256,
            burstMs: 20,
            gapMs: 500,
            roundTripMs: 150,
            listeningMos: 3.9,
          },
        },
      ],
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
    const nothing = { ssrcs: [], cnames: [], senders: [{ packets: 2 }], blocks: [], receivedNothing: true };
    expect(readRtcpJson(text)).toEqual(nothing);
  });

  it('returns SSRCs, names and the times of sender reports', () => {
    const text = JSON.stringify({
      ssrc: 7,
      sdes_ssrc: 7,
      sdes_information: [
        { type: 1, text: 'a@b' },
        { type: 6, text: 'phone' },
      ],
      sender_information: { ntp_timestamp_sec: 3_953_699_806, ntp_timestamp_usec: 2_147_483_648, packets: 2 },
      report_blocks: [{ source_ssrc: 9, lsr: 77, dlsr: 65_536 }],
    });
    expect(readRtcpJson(text)).toEqual({
      ssrcs: [7],
      cnames: ['a@b'],
      senders: [{ ssrc: 7, packets: 2, stamp: (3_953_699_806 % 65_536) * 65_536 + 32_768 }],
      blocks: [{ ssrc: 9, lastReport: { stamp: 77, delay: 65_536 } }],
    });
  });

  it('reads the numbers in quotes and the Unix times of Asterisk', () => {
    const sender = { ntp_timestamp_sec: '1744710000', ntp_timestamp_usec: '500000', packets: 2 };
    const text = JSON.stringify({
      ssrc: 7,
      sender_information: sender,
      report_blocks: [{ source_ssrc: 9, lsr: '77', dlsr: 5 }],
    });
    expect(readRtcpJson(text)).toMatchObject({
      senders: [{ stamp: ((1_744_710_000 + 2_208_988_800) % 65_536) * 65_536 + 32_768 }],
      blocks: [{ lastReport: { stamp: 77, delay: 5 } }],
    });
  });

  it('returns voice measurements', () => {
    const densities = { burst_density: 64, gap_density: 256 };
    const xr = {
      type: 7,
      fraction_lost: 128,
      burst_duration: 20,
      gap_duration: 500,
      round_trip_delay: 90,
      ...densities,
    };
    expect(readRtcpJson(JSON.stringify({ report_blocks_xr: xr }))?.blocks).toEqual([
      { voice: { lossRate: 0.5, burstDensity: 0.25, burstMs: 20, gapMs: 500, roundTripMs: 90 } },
    ]);
  });

  it('ignores impossible numbers', () => {
    const blocks = [{ source_ssrc: 1, fraction_lost: 256, ia_jitter: -1 }, 7, null, 'x'];
    expect(readRtcpJson(JSON.stringify({ report_blocks: blocks }))?.blocks).toEqual([{ ssrc: 1 }]);
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

  it('ignores what is no number, and what the phone does not know', () => {
    const lines = [
      'CallID: x',
      'LocalAddr:IP=1 PORT=y',
      'LocalMetrics:',
      'PacketLoss:NLR=127',
      'Delay:RTD=65535 IAJ=1e9 MAJ=65535',
      'QualityEst:MOSLQ=12.7',
      'BurstGapLoss:BLD=0.0 BD=65535 GLD=0.0 GD=65535 GMIN=16',
    ];
    expect(readVoiceReport(`VQSessionReport\n${lines.join('\n')}`)).toEqual({ callId: 'x' });
  });
});
