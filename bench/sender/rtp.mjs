/**
 * How many RTP packets one core analyses: from the frames of a capture in memory to the records of the calls, without sending
 * them. The processor time counts, not the time on the clock: the analysis has one thread.
 */
import { CaptureReader, PacketsInFrames } from '../../libs/capture/dist/src/index.js';
import { ethernet, udp, writePcap } from '../../libs/capture/dist/test/write-pcap.js';
import { FrontEndFeed } from '../../libs/call-capture/dist/src/index.js';
import { BOB_ANSWERING, request, response, sdp } from '../../libs/call-capture/dist/test/sip-messages.js';
import { writeRtp } from '../../libs/call-capture/dist/test/write-rtp.js';

const CALLS = 500;
const PACKETS_OF_STREAM = 500;
const CHUNK = 65_536;
const START = 1_760_000_000_000;
const ROUNDS = 4;
const PROXY = { ip: '192.0.2.1', port: 5060 };
const ALICE = { ip: '192.0.2.10', port: 5060 };

const host = (n, side) => ({ ip: `10.${side}.${n >> 8}.${n & 255}`, port: 20_000 + 2 * n });

function frame(at, from, to, payload) {
  return { at, bytes: ethernet(udp(from, to, payload)) };
}

/** All calls at the same time: both directions, with jitter of a few milliseconds and 1 % loss. */
function capture() {
  const frames = [];
  for (let n = 0; n < CALLS; n++) {
    const [callId, from, to] = [`rtp-${n}`, host(n, 1), host(n, 2)];
    frames.push(frame(START, ALICE, PROXY, request('INVITE', { callId, body: sdp(from.ip, from.port) })));
    frames.push(frame(START, PROXY, ALICE, response('200 OK', 'INVITE', { callId, body: sdp(to.ip, to.port) })));
  }
  for (let k = 0; k < PACKETS_OF_STREAM; k++) {
    for (let n = 0; n < CALLS; n++) {
      if ((k * 31 + n) % 100 === 0) continue;
      const at = START + 1_000 + 20 * k + ((k * 7 + n) % 5);
      const parts = { sequence: k + n, timestamp: 160 * k, payload: Buffer.alloc(160, k).fill(n & 255, 0, 80) };
      frames.push(frame(at, host(n, 1), host(n, 2), writeRtp({ ...parts, ssrc: 2 * n })));
      frames.push(frame(at, host(n, 2), host(n, 1), writeRtp({ ...parts, ssrc: 2 * n + 1 })));
    }
  }
  for (let n = 0; n < CALLS; n++) {
    const bye = request('BYE', { callId: `rtp-${n}`, cseq: 2, to: BOB_ANSWERING });
    frames.push(frame(START + 20_000, ALICE, PROXY, bye));
  }
  return writePcap(1, frames);
}

function analyse(file) {
  const reports = [];
  const onRecord = ({ events }) => reports.push(...events.filter(({ kind }) => kind === 'qualityUpdate'));
  const feed = new FrontEndFeed({ frontEnd: 'fe1', version: 'D', onRecord });
  const [reader, packets] = [new CaptureReader(), new PacketsInFrames()];
  const before = process.cpuUsage();
  for (let at = 0; at < file.length; at += CHUNK) {
    for (const each of reader.push(file.subarray(at, at + CHUNK))) {
      for (const packet of packets.add(each)) feed.process(packet, each.at, each.at);
    }
  }
  feed.sweep(START + 30_000);
  const { user, system } = process.cpuUsage(before);
  if (reports.length !== 2 * CALLS) throw new Error(`${reports.length} reports of ${CALLS} calls`);
  return { packets: feed.counts.rtp, seconds: (user + system) / 1e6 };
}

/** Other work on the machine makes rounds slower, never faster. */
export function benchRtp() {
  const file = capture();
  const rounds = Array.from({ length: ROUNDS }, () => analyse(file));
  const rates = rounds.map(({ packets, seconds }) => packets / seconds);
  return { calls: CALLS, packets: rounds[0].packets, megabytes: file.length / 1_000_000, rates };
}
