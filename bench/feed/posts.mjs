/**
 * Front ends that post records over persistent connections, in a separate process: `node posts.mjs OPTIONS`, JSON of
 * `{ base, shape, connections, seconds, after?, perSecond?, from?, most?, starts?, openCalls?, oneIn?, ledger? }`. Without
 * `perSecond` each posts again as soon as it has a reply. `after`: seconds at the beginning that do not count. `most`: records after which
 * it ends, counted or not. `starts`: only calls that go on. `openCalls`: as in traffic.mjs. `oneIn`: the share of started calls that is
 * sent to the parent. `ledger`: a file that is written in the end. Requests are written to bare sockets, so that the server is
 * measured. Prints `{ perSecond, p50, p99, refused,
 * acknowledged, bytes, cpuSeconds }`, the first four of the counted ones, the others of all; a parent process is sent the start of some
 * calls, `{ callId, at }`.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ledger } from './ledger.mjs';
import { feed, starts as startsOf } from './traffic.mjs';

/** The form in which each server expects records. */
const SHAPES = {
  feed: (xml) => ['POST', '/Ringdown/RequestMessage', 'text/xml', xml],
  redis: (xml, callId) => ['PUT', `/RPUSH/${callId}`, 'text/xml', xml],
  influx: (xml, callId) => [
    'POST',
    '/write?db=records',
    'text/plain',
    `records,frontEnd=fe1 callId="${callId}",xml="${xml.replaceAll('\n', ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`,
  ],
};

const options = { after: 0, from: 0, most: Infinity, oneIn: 20, ...JSON.parse(process.argv[2]) };
const { base, shape, connections, seconds, after, perSecond, from, most, oneIn } = options;
const { hostname, port } = new URL(base);
const records = (options.starts ? startsOf : feed)({ calls: 10_000_000, from, openCalls: options.openCalls });
const ledger = options.ledger === undefined ? undefined : new Ledger(from);
const times = [];
let refused = 0;
let sent = 0;
let started = 0;
let acknowledged = 0;
let bytes = 0;

const cpu = process.cpuUsage();
const began = performance.now();
const counted = began + after * 1_000;
const until = counted + seconds * 1_000;
await Promise.all(Array.from({ length: connections }, frontEnd));
const elapsed = (performance.now() - counted) / 1_000;
const { user, system } = process.cpuUsage(cpu);
if (ledger !== undefined) writeFileSync(options.ledger, ledger.bytes());
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
const ofCounted = { perSecond: times.length / elapsed, p50: at(0.5), p99: at(0.99), refused };
process.stdout.write(JSON.stringify({ ...ofCounted, acknowledged, bytes, cpuSeconds: (user + system) / 1e6 }));
process.exit(0);

async function frontEnd() {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  const answers = answersOf(socket);
  for (;;) {
    const due = perSecond === undefined ? performance.now() : began + (sent * 1_000) / perSecond;
    // A server that cannot keep the pace is not waited for.
    if (sent >= most || due >= until || performance.now() >= until) break;
    sent++;
    const { number, callId, xml, what } = records.next().value;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const sentAt = performance.now();
    const counts = sentAt >= counted;
    if (what === 'start' && counts && ++started % oneIn === 0) process.send?.({ callId, at: Date.now() });
    socket.write(request(SHAPES[shape](xml, callId)));
    const { value: status } = await answers.next();
    ledger?.note(number, what, isAcknowledged(status));
    account(status, xml, counts ? performance.now() - sentAt : undefined);
  }
  socket.destroy();
}

/** `took`: milliseconds, if the request counts. */
function account(status, xml, took) {
  if (isAcknowledged(status)) {
    acknowledged++;
    bytes += Buffer.byteLength(xml);
    if (took !== undefined) times.push(took);
  } else if (took !== undefined) refused++;
}

function isAcknowledged(status) {
  return status >= 200 && status < 300;
}

function request([method, path, type, body]) {
  const head = `Host: ${hostname}:${port}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n${body}`;
}

/** The status of each reply, as soon as it is complete. */
async function* answersOf(socket) {
  let text = '';
  for await (const chunk of socket) {
    text += chunk.toString('latin1');
    for (let end = endOf(text); end !== undefined; end = endOf(text)) {
      yield Number(text.slice(9, 12));
      text = text.slice(end);
    }
  }
  throw new Error(`${base} closed the connection`);
}

function endOf(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const body = head + 4;
  if (/^transfer-encoding: chunked/im.test(text.slice(0, body))) {
    const last = text.indexOf('0\r\n\r\n', body);
    return last < 0 ? undefined : last + 5;
  }
  const [, length = 0] = /^content-length: (\d+)/im.exec(text.slice(0, body)) ?? [];
  const end = body + Number(length);
  return text.length < end ? undefined : end;
}
