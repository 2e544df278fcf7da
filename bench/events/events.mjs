/**
 * How long an event takes from another replica to the client whose poll waits for it, and what waiting polls cost, next
 * to a bare Fastify that holds the same number in the same run. Build first, then `npm run bench:events`; with
 * `-- --write` the table is written to docs/performance.md. Each waiting poll needs an open file here and one in the
 * server (`ulimit -n`). The clients share this process: it has the same young-generation setting as the servers,
 * otherwise its own pauses would be measured; the remaining pauses are in a separate column.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Bus } from '@ringdown/nats';
import { createLogger, Metrics } from '@ringdown/observability';
import { channelKey } from '../../apps/application-people/dist/src/events/channel-key.js';
import { ChannelStore } from '../../apps/application-people/dist/src/events/channel-store.js';
import { EventChannels } from '../../apps/application-people/dist/src/events/event-channels.js';
import { measuredOn, table, writeReport } from '../report.mjs';
import { deliver, percentile, Polls } from './polls.mjs';
import { cpuSeconds, megabytes, Servers, signIn } from '../servers.mjs';

const SIZES = (process.env.BENCH_POLLS ?? '2000,10000').split(',').map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
/** So that the check of each poll after a minute is included in the measurement, milliseconds after the first poll. */
const MEASURED_AT_MS = 48_000;
const PER_SECOND = 200;
/** The first events run code that is not compiled yet, here and in the server; this would make the first row slow. */
const WARM_UP_SECONDS = 3;
/** 20 applications each, the default of APPLICATIONS_PER_USER: those of a user are one entry (ADR 0070). */
const USERS = 500;

/** Measures both, in the order of the rows; progress goes to standard error. Returns the rows. */
export async function benchEvents() {
  const servers = new Servers();
  const rows = [];
  try {
    await measureRingdown(servers, rows);
    await measureBare(servers, rows);
    return rows;
  } finally {
    await servers.stop();
  }
}

async function measureRingdown(servers, rows) {
  const users = Array.from({ length: USERS }, (_, n) => `user${n}@example.test`);
  // All polls come from one address.
  const { natsUrl, natsPid, auth, service } = await servers.start(users, { WEB_CONNECTIONS_PER_ADDRESS: '20000' });
  const logger = createLogger('bench', { logLevel: 'warn', logFormat: 'json' });
  const bus = await Bus.connect({ url: natsUrl, name: 'bench', logger });
  const channels = new EventChannels({ store: await ChannelStore.open(bus), bus, logger, metrics: new Metrics() });
  const tokens = new Map();
  for (const user of users) tokens.set(user, await signIn(auth, user));

  const polls = new Polls(service.base, (id, body) => {
    const { _links: links } = JSON.parse(body);
    return links.next.href;
  });
  const ids = [];
  for (const size of SIZES) {
    const each = Math.ceil((size - ids.length) / USERS);
    const made = await Promise.all(users.map((user) => createApplications(service.base, tokens.get(user), each, size)));
    const opened = performance.now();
    for (const { id, path, token } of made.flat()) {
      ids.push(id);
      polls.open(id, `${path}&timeout=1800`, { authorization: `Bearer ${token}` });
      // The clients connect one after the other, as after a restart behind a load balancer.
      if (ids.length % 50 === 0) await pause(40);
    }
    await polls.unlessFailed(allWaiting(channels, ids));
    await pause(opened + MEASURED_AT_MS - performance.now());
    const send = (id) =>
      channels.append(channelKey(id, null), [
        {
          sender: { rel: 'conversation', href: '/c' },
          type: 'completed',
          link: { rel: 'message', href: '/c/m' },
          status: 'Success',
        },
      ]);
    rows.push(await row('Ringdown', size, service.pid, polls, ids, send, natsPid));
  }
  polls.close();
  await channels.close();
  await bus.close();
}

async function createApplications(base, token, count, size) {
  const made = [];
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${base}/uc/v1/applications`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ culture: 'en', endpointId: `${size}-${n}`, userAgent: 'bench' }),
    });
    if (response.status !== 201) throw new Error(`no application: ${response.status}`);
    const { id, _links: links } = await response.json();
    made.push({ id, path: links.events.href, token });
  }
  return made;
}

async function allWaiting(channels, ids) {
  for (const id of ids) {
    while ((await channels.read(channelKey(id, null))).waiter === null) await pause(50);
  }
}

async function measureBare(servers, rows) {
  const { base, pid } = await servers.bare(new URL('bare-server.mjs', import.meta.url));
  const polls = new Polls(base);
  const ids = [];
  for (const size of SIZES) {
    while (ids.length < size) {
      const id = String(ids.length);
      ids.push(id);
      polls.open(id, `/events/${id}`, {});
      if (ids.length % 50 === 0) await pause(20);
    }
    await polls.unlessFailed(allHeld(base, size));
    await pause(3_000);
    const send = (id) => fetch(`${base}/events/${id}`, { method: 'POST' });
    rows.push(await row('bare Fastify', size, pid, polls, ids, send));
  }
  polls.close();
}

async function allHeld(base, size) {
  while (Number(await (await fetch(`${base}/waiting`)).text()) < size) await pause(100);
}

async function row(server, size, pid, polls, ids, send, natsPid) {
  await deliver(polls, ids, send, { perSecond: PER_SECOND, seconds: WARM_UP_SECONDS });
  const memory = megabytes(pid);
  const before = [cpuSeconds(pid), natsPid ? cpuSeconds(natsPid) : 0];
  const ownDelay = monitorEventLoopDelay({ resolution: 1 });
  ownDelay.enable();
  const millis = await deliver(polls, ids, send, { perSecond: PER_SECOND, seconds: SECONDS });
  ownDelay.disable();
  const used = [cpuSeconds(pid) - before[0], (natsPid ? cpuSeconds(natsPid) : 0) - before[1]];
  const percent = (seconds) => `${Math.round((seconds * 100) / SECONDS)} %`;
  const figures = [
    `${server}, ${size.toLocaleString('en')} polls`,
    ...[0.5, 0.99, 1].map((share) => percentile(millis, share).toFixed(1)),
    (ownDelay.percentile(99) / 1e6).toFixed(1),
    memory.toFixed(0),
    megabytes(pid).toFixed(0),
    percent(used[0]),
    natsPid ? percent(used[1]) : '-',
  ];
  console.error(figures.join(' | '), `load ${loadavg()[0].toFixed(1)}`);
  return figures;
}

export function eventsReport(rows) {
  const head = ['server', 'p50 ms', 'p99 ms', 'max ms', 'p99 of client', 'MB idle', 'MB after', 'CPU', 'CPU of NATS'];
  return `${PER_SECOND} events/s for ${SECONDS} s after ${WARM_UP_SECONDS} s that do not count, each to one of the waiting polls, which is opened again at once. CPU is of one core.
The clients share a process: how late that is itself is in all figures, those of the bare Fastify as well.
${measuredOn()}

${table([head, ...rows])}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = eventsReport(await benchEvents());
  console.log(report);
  if (process.argv.includes('--write')) writeReport('bench:events', report);
  process.exit(0);
}
