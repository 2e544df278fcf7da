import type { CapturedPacket } from '@ringdown/capture';
import { CHECKOUT } from '@ringdown/testing/guide-shell';
import { isQuality, isStream, type DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import * as fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCapture } from '../files/read-capture.js';
import { PlayedFeed } from './played-feed.js';

interface Played {
  readonly at: number;
  readonly packet: CapturedPacket;
}

/** Each of them has its right values beside it; they are played into a whole system by `apps/ringdown/test/capture-cases.spec.ts`. */
const FILES = globSync([
  join(CHECKOUT, 'apps/ringdown/test/capture-cases/*.pcap.gz'),
  join(CHECKOUT, 'libs/call-capture/test/public-captures/*.pcap'),
]);
/** Agents deliver the messages of one read with one time, in any order (sipcapture/heplify#342). */
const LATE_MS = 3;

async function packetsOf(file: string): Promise<readonly Played[]> {
  const bytes = readFileSync(file);
  const capture = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  const packets: Played[] = [];
  async function* chunks(): AsyncGenerator<Buffer> {
    yield capture;
  }
  for await (const entry of readCapture(chunks(), { bytes: 0 })) {
    if (entry.kind === 'packet') packets.push({ at: entry.packet.capturedAt ?? entry.at, packet: entry.packet });
  }
  return packets;
}

function play(packets: readonly Played[]): readonly string[] {
  const records: DiagnosticsRecord[] = [];
  const feed = new PlayedFeed({ frontEnd: 'fe1', version: 'D', onRecord: (record) => records.push(record) });
  for (const { at, packet } of packets.toSorted((a, b) => a.at - b.at)) feed.play({ ...packet, capturedAt: at }, at);
  feed.finish();
  const { failedRequestsTotal, unplacedMessages } = feed.findings;
  return [
    ...new Set(records.flatMap(recordFacts)),
    `${failedRequestsTotal} failed`,
    JSON.stringify(unplacedMessages),
  ].toSorted();
}

/** What happened in a call and between whom, and its quality; without times. */
function recordFacts({ connection, events }: DiagnosticsRecord): readonly string[] {
  const { EndedBy } = connection.further ?? {};
  return events.flatMap((event) => {
    if (event.kind === 'inCallQuality') return [];
    const ends = isStream(event) || isQuality(event) ? [event.from, event.to] : [];
    const places = ends.map((end) => `${end?.uri} ${end?.ip}:${end?.port}`);
    const loss = isQuality(event)
      ? ['PacketLossRate', 'CapturedPacketLossRate'].map((name) => event.metrics[name]?.value)
      : [];
    const code = event.kind === 'error' ? event.responseCode?.code : '';
    return [[connection.callId, event.kind, ...places, ...loss, code, EndedBy].join(' ')];
  });
}

describe.each(FILES.map((file) => ({ name: basename(file), file })))('$name', ({ file }) => {
  it('shows the same calls in any order of messages within three milliseconds', async () => {
    const packets = await packetsOf(file);
    const right = play(packets);
    const messages = packets.filter(({ packet }) => packet.content === 'sip').length;
    const late = fc.array(fc.nat(LATE_MS), { minLength: messages, maxLength: messages });
    fc.assert(
      fc.property(late, (delays) => {
        let next = 0;
        const moved = packets.map((each) => {
          return each.packet.content === 'sip' ? { ...each, at: each.at + (delays[next++] ?? 0) } : each;
        });
        expect(play(moved)).toEqual(right);
      }),
      { numRuns: 20 },
    );
  });
});
