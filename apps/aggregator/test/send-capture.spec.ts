import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { collectorAddress } from '@ringdown/feed-client';
import { RecordingCollector, xml } from '@ringdown/feed-client/test/recording-collector.js';
import { defaultProfile } from '@ringdown/vendor-profile';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReaderProgress, ReaderSummary } from '../src/captures/reader-output.js';
import { sendCapture } from '../src/captures/send-capture.js';

const ALICE = { ip: '192.0.2.10', port: 5_060 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const CALLS = ['one', 'two', 'three'];
const START = Date.UTC(2026, 0, 31, 12);

function capture(): Buffer {
  const body = sdp(ALICE.ip, 4_000);
  const messages = CALLS.flatMap((callId) => [
    request('INVITE', { callId, body }),
    response('200 OK', 'INVITE', { callId, body }),
    request('BYE', { callId, cseq: 2, to: BOB_ANSWERING }),
  ]);
  return writePcap(
    1,
    messages.map((payload, n) => ({ at: START + n * 1_000, bytes: ethernet(udp(ALICE, PROXY, payload)) })),
  );
}

describe('a capture whose collector fails in the middle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-send-capture-'));
  const file = join(folder, 'calls.pcap');
  const started = new Started();
  let collector: RecordingCollector;
  let accepted: string[];

  beforeAll(() => writeFileSync(file, capture()));
  beforeEach(async () => {
    collector = started.add(await RecordingCollector.start());
    accepted = [];
  });
  afterEach(() => started.stopAll());
  afterAll(() => rmSync(folder, { recursive: true }));

  function send(retryPausesMs = [1, 1]): Promise<ReaderSummary> {
    return sendCapture({
      address: collectorAddress(collector.url, defaultProfile),
      profile: defaultProfile,
      file,
      frontEnd: 'fe1',
      timeoutMs: 60_000,
      continueWaitMs: 1_000,
      tls: { current: {} },
      resumeAfterMs: 0,
      signal: new AbortController().signal,
      onProgress: (_progress: ReaderProgress) => undefined,
      retryPausesMs,
    });
  }

  /** The records that an undisturbed collector gets. */
  async function undisturbed(): Promise<readonly string[]> {
    const summary = await send();
    expect(summary).toMatchObject({ calls: 3, callIds: CALLS, recordsFailed: 0, packets: 9 });
    const bodies = collector.records.map(({ body }) => body);
    collector.received.length = 0;
    return bodies;
  }

  it.each([
    ['closes the connection after it has stored a record', () => collector.dropConnections()],
    ['answers 503', undefined],
  ])('is sent completely, and again only with equal copies, when the collector %s', async (_what, drop) => {
    const expected = await undisturbed();
    const { answer } = collector;
    collector.answer = (reply, count) => {
      if (accepted.length !== 2) {
        accepted.push('');
        return answer(reply, count);
      }
      accepted.push('');
      if (drop === undefined) xml(reply, 503, '<Error/>');
      else drop();
    };
    expect(await send()).toMatchObject({ calls: 3, callIds: CALLS, recordsFailed: 0, packets: 9 });
    const bodies = collector.records.map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(expected.length);
    expect([...new Set(bodies)]).toEqual(expected);
  });

  it('goes on when the collector is back', async () => {
    const expected = await undisturbed();
    let isFirst = true;
    collector.onRecord = () => {
      if (!isFirst) return;
      isFirst = false;
      void collector.stop().then(() => collector.start());
    };
    expect(await send([1, 500, 500])).toMatchObject({ calls: 3, recordsFailed: 0 });
    expect(new Set(collector.records.map(({ body }) => body))).toEqual(new Set(expected));
  });

  it('fails with a reason and what was sent when the collector stays away', async () => {
    collector.answer = (reply, count) => {
      accepted.push('');
      if (accepted.length === 3) void collector.stop();
      else xml(reply, 200, `<Response><Count>${count}</Count></Response>`);
    };
    const summary = await send();
    expect(summary.error).toMatch(/^The collector stopped accepting records after 2: /);
    expect(summary).toMatchObject({ records: 3, recordsFailed: 1, callIds: ['one'] });
  });

  it('goes on after a record that the collector rejects for its content', async () => {
    collector.answer = (reply, count) => {
      accepted.push('');
      if (accepted.length === 2) xml(reply, 400, '<Error/>');
      else xml(reply, 200, `<Response><Count>${count}</Count></Response>`);
    };
    const summary = await send();
    expect(summary.error).toBeUndefined();
    expect(summary).toMatchObject({ calls: 3, recordsFailed: 1 });
  });
});
