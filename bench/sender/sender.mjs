/**
 * How much traffic one sender can process: captured SIP in, records out to a collector that only replies, on the same
 * machine. Build first, then `npm run bench:sender`; with `-- --write` the table is written to docs/performance.md.
 * Other programs on the machine affect the packets per second, but hardly those per second of processor time.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ringdown/embedded';
import { sdp, request, response } from '../../libs/call-capture/dist/test/sip-messages.js';
import { writeHep } from '../../libs/capture/dist/test/write-hep.js';
import { measuredOn, table, writeReport } from '../report.mjs';
import { benchRtp } from './rtp.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 10_000);
/** Calls in progress at the same time. */
const OPEN_CALLS = 500;
/** Requests cost the sender time, too. */
const ASK_EVERY_MS = 200;
/** The time limit for one row. */
const PATIENCE_MS = 55_000;
const PROGRAM = fileURLToPath(new URL('../../apps/sender/bin/ringdown-sender.mjs', import.meta.url));

const ALICE = { ip: '192.0.2.10', port: 5060 };
const PROXY = { ip: '192.0.2.1', port: 5060 };
const BOB = { ip: '192.0.2.20', port: 5060 };
const ANSWERED = '<sip:bob@example.test>;tag=b1';

/** As captured on a proxy: each message when it arrives and when it is forwarded. */
function messagesOf(callId) {
  const hop = (from, to, message) => (parts) =>
    writeHep({ source: from, destination: to, payload: message({ callId, ...parts }) });
  const relayed = (from, to, message) => [
    hop(from, PROXY, message)({ branch: `z9-${from.ip}` }),
    hop(PROXY, to, message)({ branch: `z9-${to.ip}` }),
  ];
  const [offer, answer] = [sdp('192.0.2.10', 4_000), sdp('192.0.2.20', 5_000)];
  const start = [
    ...relayed(ALICE, BOB, (parts) => request('INVITE', { ...parts, body: offer })),
    ...relayed(BOB, ALICE, (parts) => response('180 Ringing', 'INVITE', parts)),
    ...relayed(BOB, ALICE, (parts) => response('200 OK', 'INVITE', { ...parts, body: answer })),
    ...relayed(ALICE, BOB, (parts) => request('ACK', { ...parts, to: ANSWERED })),
  ];
  const end = [
    ...relayed(ALICE, BOB, (parts) => request('BYE', { ...parts, cseq: 2, to: ANSWERED })),
    ...relayed(BOB, ALICE, (parts) => response('200 OK', 'BYE', { ...parts, cseq: 2 })),
  ];
  return { start, end };
}

/** Ends of calls follow their starts at a distance, so that many calls are open at the same time. */
function traffic(run) {
  const calls = Array.from({ length: CALLS }, (_, n) => messagesOf(`${run}-${n}`));
  return Array.from({ length: CALLS + OPEN_CALLS }, (_, n) =>
    Buffer.concat([...(calls[n]?.start ?? []), ...(calls[n - OPEN_CALLS]?.end ?? [])]),
  );
}

const PACKETS_A_CALL = 12;
const RECORDS_A_CALL = { '1.0': 2, D: 3 };

const BATCHES = '<Configuration Version="1.0" AcceptedBatch="64 400000"/>';
const NO_BATCHES = '<Configuration Version="1.0"/>';
const LINE_FEED = 0x0a;

function collectorThatAnswers(configuration) {
  let count = 0;
  const answer = (request, reply) => {
    let stored = 1;
    request.on('data', (bytes) => {
      for (const byte of bytes) if (byte === LINE_FEED) stored++;
    });
    const isConfiguration = request.url.endsWith('/GetConfiguration');
    request.on('end', () => {
      count += stored;
      reply.end(
        isConfiguration ? configuration : `<Response><Count>${count}</Count><Stored>${stored}</Stored></Response>`,
      );
    });
  };
  const server = createServer(answer);
  server.on('checkContinue', (request, reply) => {
    reply.writeContinue();
    answer(request, reply);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function metricsAt(port) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    packets: value(String.raw`ringdown_sender_hep_packets_total\{content="sip"\}`),
    records: value(String.raw`ringdown_sender_records_total\{outcome="answered"\}`),
    cpuSeconds: value('process_cpu_seconds_total'),
    megabytes: value('process_resident_memory_bytes') / 1_048_576,
  };
}

async function metricsWhen(port, isReached) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await metricsAt(port).catch(() => undefined);
    if (seen && isReached(seen)) return seen;
    if (performance.now() > deadline) {
      throw new Error(
        `not done in ${PATIENCE_MS / 1_000} s, but ${JSON.stringify(seen)}; BENCH_CALLS makes it shorter`,
      );
    }
    await pause(ASK_EVERY_MS);
  }
}

async function send(port, packets) {
  const socket = connect(port, '127.0.0.1');
  for (const bytes of packets) {
    if (!socket.write(bytes)) await new Promise((resolve) => socket.once('drain', resolve));
  }
  await new Promise((resolve) => socket.end(resolve));
}

/**
 * `isAway`: the collector is away, and only reading is measured. `isForeign`: it reads one record for each post. `settings`: of the sender, in addition to those of the
 * row.
 */
async function measure({ version, isAway = false, isForeign = false, settings = {} }) {
  // Before anything runs: only the sender is measured, and the collector cannot reply meanwhile.
  const packetsOfAll = traffic(`run-${version}`);
  const collector = await collectorThatAnswers(isForeign ? NO_BATCHES : BATCHES);
  const { port } = collector.address();
  if (isAway) collector.close();
  const [hepPort, innerPort] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    HEP_HOST: '127.0.0.1',
    HEP_PORT: String(hepPort),
    INNER_PORT: String(innerPort),
    SUBMIT_URI: `http://127.0.0.1:${port}`,
    SUBMIT_QUEUE_LEN: '1000000',
    OUTPUT_SCHEMA: version,
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const sender = spawn(process.execPath, [PROGRAM, 'run'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const before = await metricsWhen(innerPort, () => true);
    const began = performance.now();
    await send(hepPort, packetsOfAll);
    const packets = CALLS * PACKETS_A_CALL;
    const records = isAway ? 0 : CALLS * RECORDS_A_CALL[version];
    const after = await metricsWhen(innerPort, (seen) => seen.packets === packets && seen.records === records);
    const seconds = (performance.now() - began) / 1_000;
    return { ...after, seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds };
  } finally {
    sender.kill('SIGTERM');
    await new Promise((resolve) => sender.once('exit', resolve));
    collector.closeAllConnections();
    if (!isAway) collector.close();
  }
}

const whole = (value) => Math.round(value).toLocaleString('en-US');

const CASES = [
  { name: 'version 1.0', version: '1.0' },
  { name: 'version D', version: 'D' },
  { name: 'version 1.0, one record for each post', version: '1.0', isForeign: true },
  { name: 'the same, CONTINUE_WAIT_MS=0', version: '1.0', isForeign: true, settings: { CONTINUE_WAIT_MS: '0' } },
  { name: 'none: the collector is away', version: '1.0', isAway: true },
];

export async function benchSender() {
  const rows = [['records', 'SIP packets/s', 'calls/s', 'records/s', 'cores', 'packets per CPU second', 'MB']];
  for (const { name, ...row } of CASES) {
    process.stderr.write(`${name}: ${whole(CALLS)} calls …\n`);
    const { packets, records, seconds, cpuSeconds, megabytes } = await measure(row);
    const rates = [packets / seconds, CALLS / seconds, records / seconds].map(whole);
    rows.push([name, ...rates, (cpuSeconds / seconds).toFixed(2), whole(packets / cpuSeconds), whole(megabytes)]);
  }
  return rows;
}

function conditions() {
  return `${measuredOn()} What else ran there: a load of ${loadavg()[0].toFixed(1)} before the first row.`;
}

async function reportOnSip() {
  const about = `${whole(CALLS)} calls of ${PACKETS_A_CALL} captured SIP messages, ${OPEN_CALLS} at a time, over TCP.\n${conditions()}`;
  return `${about}\n\n${table(await benchSender())}\n`;
}

function reportOnRtp() {
  process.stderr.write('RTP …\n');
  const where = conditions();
  const { calls, packets, rates, megabytes } = benchRtp();
  const what = `${whole(packets)} RTP packets of ${calls} calls at the same time (G.711, both directions), read from a capture of ${whole(megabytes)} MB in memory.`;
  const rows = [
    ['from frames to records, on one core', 'measured', 'wanted'],
    ['RTP packets per CPU second, best round', whole(Math.max(...rates)), '300,000'],
    [`… worst of ${rates.length} rounds`, whole(Math.min(...rates)), '-'],
  ];
  return `${what}\n${where}\n\n${table(rows)}\n`;
}

/** `--only sip` or `--only rtp` measures one part. */
const only = process.argv[process.argv.indexOf('--only') + 1];
const PARTS = { sip: ['bench:sender', reportOnSip], rtp: ['bench:sender rtp', reportOnRtp] };
for (const [name, measurePart] of only in PARTS ? [PARTS[only]] : Object.values(PARTS)) {
  const report = await measurePart();
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeReport(name, report);
}
