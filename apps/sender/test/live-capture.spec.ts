import { ethernet, udp, writePcap } from '@ringdown/capture/test/write-pcap.js';
import { eventually } from '@ringdown/testing/eventually';
import { gzipSync } from 'node:zlib';
import { sender, startSender } from './programs.js';
import { RecordingCollector } from '@ringdown/feed-client/test/recording-collector.js';
import { BOB_ANSWERING, request, response, sdp } from '@ringdown/call-capture/test/sip-messages.js';
import { streamFrames } from '@ringdown/call-capture/test/write-rtp.js';

const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const PROXY = { ip: '192.0.2.1', port: 5_060 };
const START = 1_760_000_000_000;
const FILE_HEADER_LENGTH = 24;
const HEADER = writePcap(1, []);

/** As tcpdump appends it to its output. */
function appended(...packets: readonly Buffer[]): Buffer {
  const frames = packets.map((payload) => ({ at: START, bytes: ethernet(udp(PROXY, PROXY, payload)) }));
  return writePcap(1, frames).subarray(FILE_HEADER_LENGTH);
}

describe('ringdown-sender replay -', () => {
  let collector: RecordingCollector;

  beforeEach(async () => {
    collector = await RecordingCollector.start();
  });

  afterEach(() => collector.stop());

  function bodies(): string {
    return collector.records.map(({ body }) => body).join('\n');
  }

  it('sends records while another program captures, also when no packets follow', async () => {
    const program = startSender(['replay', '-', '--to', collector.url, '--json'], { OUTPUT_SCHEMA: 'D' });
    program.write(HEADER);
    const invite = request('INVITE', { body: sdp(ALICE.ip, ALICE.port) });
    program.write(appended(invite, response('200 OK', 'INVITE', { body: sdp(BOB.ip, BOB.port) })));
    await eventually('the start of the call', () => bodies().includes('<Start '));
    const frames = streamFrames({ from: ALICE, to: BOB, packets: 600, loss: 0.1, startAt: START }, 3);
    program.write(writePcap(1, frames).subarray(FILE_HEADER_LENGTH));
    program.write(appended(request('BYE', { cseq: 2, to: BOB_ANSWERING })));
    await eventually('the quality of the call', () => bodies().includes('<QualityUpdate'));
    expect(bodies()).toMatch(/<CapturedPacketLossRate>0\.\d+</);
    program.write(undefined);
    const { exitCode, stdout } = await program.ended;
    expect(JSON.parse(stdout)).toMatchObject({ calls: 1, unreadable: 0, problems: [] });
    expect(exitCode).toBe(0);
  }, 30_000);

  it('stops at a signal while it waits for packets', async () => {
    const program = startSender(['replay', '-', '--to', collector.url, '--json']);
    program.write(HEADER);
    await eventually('the request for the configuration', () => collector.received.length > 0);
    program.kill('SIGTERM');
    expect((await program.ended).exitCode).toBe(130);
  });

  it.each([
    ['plain text', Buffer.from('hello')],
    ['a sender text log', Buffer.from('2026-01-31T12:00:00.000Z\thep\tAAAA\n')],
    ['compressed with gzip; unpack it first: gzip -d', gzipSync(HEADER)],
    ['compressed with xz; unpack it first: xz -d', Buffer.from('fd377a585a0000', 'hex')],
    ['of an unknown format', Buffer.from([1, 2, 3, 4, 5, 6])],
  ])('rejects input that is %s', async (what, bytes) => {
    const program = startSender(['replay', '-', '--to', collector.url]);
    program.write(bytes);
    program.write(undefined);
    expect(await program.ended).toMatchObject({
      exitCode: 1,
      stderr: `ringdown-sender: -: the input is ${what}, and not a packet capture (pcap, pcapng)\n`,
    });
  });

  it('rejects input beside files', async () => {
    const { stderr } = await sender(['replay', '-', 'some.pcap']);
    expect(stderr).toMatch('replay reads either files or standard input (-)');
  });
});
