/**
 * A sender that posts SIP messages of calls in batches, in a separate process, until it is ended: `node messages.mjs OPTIONS`, JSON of
 * `{ base, perSecond }`. Each call has seven messages of about 530 bytes. Prints one line, the first time that a batch was accepted.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const BATCH = 175;
const METHODS = ['INVITE', 'SIP/2.0 100', 'SIP/2.0 180', 'SIP/2.0 200', 'ACK', 'BYE', 'SIP/2.0 200'];
const { base, perSecond } = JSON.parse(process.argv[2]);
const began = performance.now();

for (let sent = 0; ; sent += BATCH) {
  const early = began + (sent * 1_000) / perSecond - performance.now();
  if (early > 0) await sleep(early);
  const messages = Array.from({ length: BATCH }, (_, n) => messageOf(sent + n));
  const body = JSON.stringify({ v: 1, frontEnd: 'traced.example.test', messages });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${base}/Ringdown/TraceMessages`, { method: 'POST', headers, body });
  await response.text();
  if (response.status === 200 && sent === 0) console.log('posting');
}

function messageOf(number) {
  const callId = `traced-${process.pid}-${Math.floor(number / METHODS.length)}`;
  const text = `${METHODS[number % METHODS.length]}\r\nCall-ID: ${callId}\r\nCSeq: ${number} INVITE\r\n`.padEnd(
    530,
    'x',
  );
  const [source, destination] = [
    { ip: '192.0.2.10', port: 5060 },
    { ip: '192.0.2.20', port: 5060 },
  ];
  const payload = Buffer.from(text).toString('base64');
  return { callId, at: Date.now() * 1_000 + (number % 1_000), source, destination, content: 'sip', point: '', payload };
}
