/**
 * A sender that posts SIP messages of calls in batches, in a separate process, until it is told to end: `node messages.mjs OPTIONS`, JSON
 * of `{ base, perSecond, connections? }`. Each call has seven messages of about 530 bytes. Prints a line the first time that a batch was
 * accepted, and in the end `{ accepted, refused, cpuSeconds }`, the first two in messages.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sipCall } from './sip-call.mjs';

const BATCH = 175;
const OF_A_CALL = 7;
const { base, perSecond, connections = 1 } = JSON.parse(process.argv[2]);
const began = performance.now();
const result = { accepted: 0, refused: 0 };
let sent = 0;
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
await Promise.all(Array.from({ length: connections }, send));
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ...result, cpuSeconds: (user + system) / 1e6 }));

async function send() {
  while (!ending.signal.aborted) {
    const first = sent;
    sent += BATCH;
    const early = began + (first * 1_000) / perSecond - performance.now();
    if (early > 0) await sleep(early);
    const messages = Array.from({ length: BATCH }, (_, n) => messageOf(first + n));
    const body = JSON.stringify({ v: 1, frontEnd: 'traced.example.test', messages });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${base}/Ringdown/TraceMessages`, { method: 'POST', headers, body });
    await response.text();
    if (response.status === 200 && result.accepted === 0) console.log('posting');
    result[response.status === 200 ? 'accepted' : 'refused'] += BATCH;
  }
}

function messageOf(number) {
  const call = Math.floor(number / OF_A_CALL);
  const callId = `traced-${process.pid}-${call}`;
  const text = sipCall(call, callId)[number % OF_A_CALL] ?? '';
  const [source, destination] = [
    { ip: '192.0.2.10', port: 5060 },
    { ip: '192.0.2.20', port: 5060 },
  ];
  const payload = Buffer.from(text).toString('base64');
  return { callId, at: Date.now() * 1_000 + (number % 1_000), source, destination, content: 'sip', point: '', payload };
}
