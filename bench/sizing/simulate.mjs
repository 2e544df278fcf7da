/**
 * What `npm run sizing` says of a large feed, played on paper: `npm run bench:sizing -- --records 100000`. Records arrive at random, in steps of
 * a millisecond; collectors, bus and aggregators work as long as was measured (docs/performance.md) and wait for each other as they really do
 * (ADR 0086, 0091, 0092). It shows how long records wait with that many processes, and with fewer. Build first.
 */
import { parseArgs } from 'node:util';
import { FIGURES } from '../../apps/ringdown/dist/src/sizing/figures.js';
import { systemSize } from '../../apps/ringdown/dist/src/sizing/system-size.js';
import { table } from '../report.mjs';
import { Queue, randomFrom, shareOf } from './queues.mjs';

/** One synced message after another: 1,869 to 4,126 a second were measured with one record each. */
const SYNC_MS = 0.4;
/** Of a message behind the sync: 64 under way, 69,248 records of 1.9 KB a second. */
const STORE_MS_PER_RECORD = 1 / 69;
/** A group begins at most ten times a second while none is full, and needs two connections at most (ADR 0092). */
const GROUP_EVERY_MS = 100;
const CONNECTIONS = 2;
const GROUP_MS = 4;
const GROUP_RECORDS = 2_000;

const { values } = parseArgs({
  options: { records: { type: 'string', default: '100000' }, seconds: { type: 'string', default: '20' } },
});
const rate = Number(values.records);
const seconds = Number(values.seconds);
const needed = systemSize({
  callsPerHour: rate * 900,
  callsPerDay: rate * 7_200,
  recordsPerCall: 4,
  minutesPerCall: 3,
  historyDays: 90,
  busHours: 72,
  capturePoints: 0,
  messagesPerCall: 7,
  traceDays: 7,
  people: 1_000,
  polls: 0,
});

/** One system with `share` of the processes that are said to be needed. */
function simulate(share) {
  const random = randomFrom(1);
  const collectors = Array.from({ length: Math.ceil(needed.collectors * share) }, () => new Queue());
  const aggregators = Math.ceil(needed.aggregators * share);
  const partitions = Array.from({ length: needed.partitions }, () => new Queue());
  const owners = Array.from({ length: aggregators }, (_, index) => ({
    partitions: partitions.filter((_queue, partition) => partition % aggregators === index),
    busyUntil: Array.from({ length: CONNECTIONS }, () => 0),
    began: -Infinity,
    worked: 0,
  }));
  const waits = { acknowledged: [], queryable: [] };
  const underWay = collectors.map(() => undefined);
  let busFree = 0;
  for (let now = 0; now < seconds * 1_000; now++) {
    for (const collector of collectors)
      collector.arrive(now, random.poisson(needed.recordsPerSecond / collectors.length / 1_000));
    collectors.forEach((collector, index) => {
      const sent = underWay[index];
      if (sent !== undefined && sent.done > now) return;
      if (sent !== undefined) {
        for (const { at, count } of sent.records) {
          waits.acknowledged.push({ ms: sent.done - at, count });
          for (let record = 0; record < count; record++) partitions[random.below(partitions.length)].arrive(at, 1);
        }
      }
      // What has come since the last message, as much as its process has read by now.
      const records = collector.take(Math.max(1, Math.ceil((sent?.took ?? 1) * (FIGURES.recordsOfCollector / 1_000))));
      const count = records.reduce((sum, each) => sum + each.count, 0);
      underWay[index] = undefined;
      if (count === 0) return;
      const reading = (count * 1_000) / FIGURES.recordsOfCollector;
      busFree = Math.max(busFree, now + reading) + SYNC_MS + count * STORE_MS_PER_RECORD;
      underWay[index] = { records, done: busFree, took: Math.max(1, busFree - now) };
    });
    for (const owner of owners) beginGroup(owner, now, waits.queryable);
  }
  const used = owners.map(({ worked }) => worked / (seconds * 1_000));
  const left = [...collectors, ...partitions].reduce((sum, queue) => sum + queue.length, 0);
  return { collectors: collectors.length, aggregators, waits, used: Math.max(...used), left };
}

/** One process decodes and folds for one group after the other; the second connection waits for the database meanwhile. */
function beginGroup(owner, now, queryable) {
  const free = owner.busyUntil.findIndex((until) => until <= now);
  const waiting = owner.partitions.reduce((sum, queue) => sum + queue.length, 0);
  if (free === -1 || waiting === 0) return;
  if (now - owner.began < GROUP_EVERY_MS && waiting < GROUP_RECORDS) return;
  const groups = owner.partitions.flatMap((queue) => queue.take(Math.ceil(GROUP_RECORDS / owner.partitions.length)));
  const count = groups.reduce((sum, each) => sum + each.count, 0);
  const work = GROUP_MS + (count * 1_000) / FIGURES.recordsOfAggregator;
  const done = Math.max(now, ...owner.busyUntil) + work;
  owner.busyUntil[free] = done;
  owner.began = now;
  owner.worked += work;
  for (const { at, count: records } of groups) queryable.push({ ms: done - at, count: records });
}

const rows = [1, 0.75, 0.5].map((share) => {
  const { collectors, aggregators, waits, used, left } = simulate(share);
  const [acknowledged, queryable] = [waits.acknowledged, waits.queryable].map((list) =>
    [0.5, 0.99].map((part) => Math.round(shareOf(list, part)).toLocaleString('en')).join(' and '),
  );
  const busiest = `${Math.round(used * 100)} %`;
  return [`${collectors}, ${aggregators}`, busiest, acknowledged, queryable, left.toLocaleString('en')];
});
console.log(
  `${rate.toLocaleString('en')} records a second, in ${needed.systems} of ${Math.round(needed.recordsPerSecond).toLocaleString('en')}, ${needed.partitions} partitions; ${seconds} s of one system.\n`,
);
const head = ['collectors, aggregators', 'busiest aggregator', 'until stored, p50 and p99, ms'];
console.log(table([[...head, 'until it can be queried, ms', 'records that wait at the end'], ...rows]));
