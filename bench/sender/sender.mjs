/**
 * How much traffic one sender can process: captured SIP in, records out to a collector that only replies, on the same
 * machine. Build first, then `npm run bench:sender`; with `-- --write` the table is written to docs/performance.md.
 * `-- --only turns --before <folder>` compares with the sender of another checkout that is built, in turns.
 * Other programs on the machine affect the packets per second, but hardly those per second of processor time.
 */
import { loadavg } from 'node:os';
import { resolve } from 'node:path';
import { measuredOn, table, writeReport } from '../report.mjs';
import { PACKETS_A_CALL } from './captured-calls.mjs';
import { measure } from './measured-sender.mjs';
import { benchRtp } from './rtp.mjs';
import { compareInTurns } from './turns.mjs';

const CALLS = Number(process.env.BENCH_CALLS ?? 10_000);
/** Calls in progress at the same time. */
const OPEN_CALLS = 500;
/** A running sender is not measured while Node still compiles it: the first calls are counted apart. */
const PARTS = [CALLS, CALLS];

const whole = (value) => Math.round(value).toLocaleString('en-US');

const CASES = [
  { name: 'version 1.0', version: '1.0' },
  { name: 'version D', version: 'D' },
  { name: 'version 1.0, one record for each post', version: '1.0', isForeign: true },
  { name: 'the same, CONTINUE_WAIT_MS=0', version: '1.0', isForeign: true, settings: { CONTINUE_WAIT_MS: '0' } },
  { name: 'none: the collector is away', version: '1.0', isAway: true },
];

async function benchSender() {
  const rows = [
    ['records', 'SIP packets/s', 'calls/s', 'records/s', 'cores', 'packets per CPU second', '… from the start', 'MB'],
  ];
  for (const { name, ...row } of CASES) {
    process.stderr.write(`${name}: ${PARTS.map(whole).join(' and ')} calls …\n`);
    const [first, { calls, packets, records, seconds, cpuSeconds, megabytes }] = await measure({
      ...row,
      parts: PARTS,
      atOnce: OPEN_CALLS,
    });
    const rates = [packets / seconds, calls / seconds, records / seconds].map(whole);
    const perCpuSecond = [packets / cpuSeconds, first.packets / first.cpuSeconds].map(whole);
    rows.push([name, ...rates, (cpuSeconds / seconds).toFixed(2), ...perCpuSecond, whole(megabytes)]);
  }
  return rows;
}

function conditions() {
  return `${measuredOn()} What else ran there: a load of ${loadavg()[0].toFixed(1)} before the first row.`;
}

async function reportOnSip() {
  const about = `${whole(CALLS)} calls of ${PACKETS_A_CALL} captured SIP messages, ${OPEN_CALLS} at a time, over TCP, after as many that are not counted ("from the start": these alone).\n${conditions()}`;
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

async function reportOnTurns() {
  const where = conditions();
  const before = process.argv[process.argv.indexOf('--before') + 1] ?? '';
  return `${where}\n\n${table(await compareInTurns(resolve(before), CALLS))}\n`;
}

/** `--only sip`, `--only rtp` or `--only turns` measures one part. */
const only = process.argv[process.argv.indexOf('--only') + 1];
const REPORTS = { sip: ['bench:sender', reportOnSip], rtp: ['bench:sender rtp', reportOnRtp] };
const chosen =
  only === 'turns'
    ? [['bench:sender turns', reportOnTurns]]
    : only in REPORTS
      ? [REPORTS[only]]
      : Object.values(REPORTS);
for (const [name, measurePart] of chosen) {
  const report = await measurePart();
  process.stdout.write(report);
  if (process.argv.includes('--write')) writeReport(name, report);
}
