import { CaptureReader, PacketsInFrames } from '@ringdown/capture';
import { streamsByTshark, type StreamRow } from '@ringdown/capture/test/tshark.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StreamMeasures } from '../src/rtp/rtp-stream.js';
import type { PayloadFormat } from '../src/rtp/payload-types.js';
import { RtpStreams } from '../src/rtp/rtp-streams.js';
import type { RtpStream } from '../src/rtp/rtp-stream.js';
import { request } from './sip-messages.js';
import { ethernet, udp, writePcap, type WrittenFrame } from '@ringdown/capture/test/write-pcap.js';
import { streamFrames, type StreamPlan } from './write-rtp.js';

const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const BASE = { from: ALICE, to: BOB, packets: 3_000 };
const VIDEO = { ...BASE, payloadType: 98, clockRate: 90_000, packetMs: 33, payloadLength: 900 };
/** A person types: a packet each 300 ms (RFC 4103, 5). */
const TEXT = { ...BASE, packets: 500, payloadType: 99, clockRate: 1_000, packetMs: 300, payloadLength: 6 };
/** The formats that the session description in each capture names. */
const FORMATS: ReadonlyMap<number, PayloadFormat> = new Map([
  [0, { name: 'PCMU/8000', clockRate: 8_000 }],
  [96, { name: 'opus/48000', clockRate: 48_000 }],
  [97, { name: 'AMR-WB/16000', clockRate: 16_000 }],
  [98, { name: 'H264/90000', clockRate: 90_000 }],
  [99, { name: 't140/1000', clockRate: 1_000 }],
  [100, { name: 'red/1000', clockRate: 1_000 }],
]);

/** The INVITE tells tshark that the port has RTP, and what the dynamic payload types mean. */
function withDescription(frames: readonly WrittenFrame[]): readonly WrittenFrame[] {
  const maps = [...FORMATS].map(([type, { name }]) => `a=rtpmap:${type} ${name}${name.startsWith('opus') ? '/2' : ''}`);
  const lines = ['v=0', 'o=- 1 1 IN IP4 192.0.2.20', 's=-', 'c=IN IP4 192.0.2.20', 't=0 0'];
  const body = `${[...lines, `m=audio ${BOB.port} RTP/AVP ${[...FORMATS.keys()].join(' ')}`, ...maps].join('\r\n')}\r\n`;
  const sip = udp({ ...BOB, port: 5_060 }, { ...ALICE, port: 5_060 }, request('INVITE', { body }));
  return [{ at: (frames[0]?.at ?? 0) - 100, bytes: ethernet(sip) }, ...frames];
}

function byUs(file: Buffer): readonly (StreamMeasures & { readonly ssrc: number })[] {
  const valid: RtpStream[] = [];
  const streams = new RtpStreams((stream) => {
    stream.describe(FORMATS);
    valid.push(stream);
    return true;
  });
  const packets = new PacketsInFrames();
  for (const frame of new CaptureReader().push(file)) {
    for (const packet of packets.add(frame)) if (packet.content === 'rtp') streams.add(packet, frame.at);
  }
  return valid.map((stream) => ({ ssrc: stream.ssrc, ...stream.measures(true) }));
}

/** The count of tshark is that of RFC 3550: each duplicate hides a loss. */
function expectAgreement(our: StreamMeasures | undefined, their: StreamRow): void {
  const { received = 0, lost = 0, duplicates = 0 } = our ?? {};
  expect({ packets: received + duplicates, lost: lost - duplicates }).toEqual({
    packets: their.packets,
    lost: their.lost,
  });
  expect(Math.abs((our?.jitterMs ?? 0) - their.meanJitter)).toBeLessThan(0.01 * their.meanJitter);
  expect(Math.abs((our?.jitterMaxMs ?? 0) - their.maxJitter)).toBeLessThan(0.01 * their.maxJitter);
}

const CASES: readonly (readonly [name: string, plans: readonly StreamPlan[]])[] = [
  ['PCMU without loss', [{ ...BASE, jitter: 8 }]],
  ['PCMA with 5 % loss', [{ ...BASE, payloadType: 8, loss: 0.05, jitter: 10 }]],
  ['bursts of loss', [{ ...BASE, payloadType: 8, loss: 0.1, lossRun: 8, jitter: 10 }]],
  ['reordering', [{ ...BASE, reordered: 0.02, jitter: 5 }]],
  ['duplicates', [{ ...BASE, duplicated: 0.05, loss: 0.03, jitter: 5 }]],
  [
    'sequence numbers and time stamps that wrap',
    [{ ...BASE, firstSequence: 65_000, firstTimestamp: 4_294_960_000, loss: 0.02, jitter: 6 }],
  ],
  ['comfort noise and pauses', [{ ...BASE, talkspurt: 150, loss: 0.01, jitter: 12 }]],
  ['G.729', [{ ...BASE, payloadType: 18, payloadLength: 20, loss: 0.01, jitter: 15 }]],
  ['G.722', [{ ...BASE, payloadType: 9, loss: 0.01, jitter: 15 }]],
  ['Opus', [{ ...BASE, payloadType: 96, clockRate: 48_000, payloadLength: 90, loss: 0.02, jitter: 20 }]],
  ['AMR-WB', [{ ...BASE, payloadType: 97, clockRate: 16_000, payloadLength: 60, loss: 0.02, jitter: 20 }]],
  ['video', [{ ...BASE, payloadType: 98, clockRate: 90_000, packetMs: 5, payloadLength: 900, loss: 0.02, jitter: 20 }]],
  ['video in frames of several packets', [{ ...VIDEO, framePackets: 4, loss: 0.02, jitter: 3 }]],
  ['video with bursts of loss', [{ ...VIDEO, framePackets: 7, loss: 0.1, lossRun: 6, jitter: 1 }]],
  ['text (T.140)', [{ ...TEXT, loss: 0.02, jitter: 40 }]],
  ['text with redundancy', [{ ...TEXT, payloadType: 100, payloadLength: 24, loss: 0.05, jitter: 60, reordered: 0.01 }]],
  ['packets of 60 ms', [{ ...BASE, packetMs: 60, payloadLength: 480, loss: 0.02, jitter: 30 }]],
  [
    'another SSRC',
    [
      { ...BASE, loss: 0.01, jitter: 5 },
      { ...BASE, ssrc: 99, startAt: 1_760_000_061_000, loss: 0.04, jitter: 9 },
    ],
  ],
  [
    'another codec with the same clock',
    [{ ...BASE, jitter: 5, change: { at: 1_500, payloadType: 8, clockRate: 8_000 } }],
  ],
];

describe('the analysis of RTP, compared with tshark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-rtp-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(CASES)('agrees on %s', async (_name, plans) => {
    const frames = plans.flatMap((plan, n) => streamFrames(plan, 7 + n)).toSorted((a, b) => a.at - b.at);
    const capture = writePcap(1, withDescription(frames));
    const file = join(folder, 'some.pcap');
    writeFileSync(file, capture);
    const theirs = await streamsByTshark(file);
    const ours = byUs(capture);
    expect(new Set(ours.map(({ ssrc }) => ssrc))).toEqual(new Set(theirs.map(({ ssrc }) => ssrc)));
    for (const their of theirs)
      expectAgreement(
        ours.find(({ ssrc }) => ssrc === their.ssrc),
        their,
      );
  });
});
