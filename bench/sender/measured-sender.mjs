// One `ringdown-sender run` under load: what it reads and sends, and what that costs, from its start and after it.
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ringdown/embedded';
import { AcknowledgingCollector } from './acknowledging-collector.mjs';
import { captured, PACKETS_A_CALL, RECORDS_A_CALL } from './captured-calls.mjs';

/** Requests cost the sender time, too. */
const ASK_EVERY_MS = 200;
/** The time limit for one part. */
const PATIENCE_MS = 55_000;
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * `parts`: calls of each part of the traffic; one part follows the other. `isAway`: the collector is away, and only reading is measured. `isForeign`: it reads one
 * record for each post. `settings`: of the sender, in addition to those of the row. `checkout`: whose sender, with the flags
 * of Node that it is deployed with. Returns the figures of each part.
 */
export async function measure({
  version,
  parts,
  atOnce,
  isAway = false,
  isForeign = false,
  settings = {},
  checkout = CHECKOUT,
}) {
  // Before anything runs: only the sender is measured, and the collector cannot reply meanwhile.
  const traffic = parts.map((calls, n) => captured({ run: `run-${version}-${n}`, calls, atOnce }));
  const collector = new AcknowledgingCollector(!isForeign);
  await collector.listen();
  const { port } = collector;
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
  const program = `${checkout}/apps/sender/bin/ringdown-sender.mjs`;
  const { senderFlags = [] } = await import(`${checkout}/scripts/node-flags.mjs`);
  const sender = spawn(process.execPath, [...senderFlags, program, 'run'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const recordsACall = isAway ? 0 : RECORDS_A_CALL[version];
    let before = { ...(await metricsWhen(innerPort, () => true)), packets: 0, records: 0 };
    const measured = [];
    for (const [n, calls] of parts.entries()) {
      const began = performance.now();
      await send(hepPort, traffic[n]);
      const wanted = {
        packets: before.packets + calls * PACKETS_A_CALL,
        records: before.records + calls * recordsACall,
      };
      const after = await metricsWhen(
        innerPort,
        ({ packets, records }) => packets === wanted.packets && records === wanted.records,
      );
      measured.push({
        calls,
        packets: after.packets - before.packets,
        records: after.records - before.records,
        seconds: (performance.now() - began) / 1_000,
        cpuSeconds: after.cpuSeconds - before.cpuSeconds,
        megabytes: after.megabytes,
      });
      before = after;
    }
    if (!isAway) collector.checkRecords(before.records);
    return measured;
  } finally {
    sender.kill('SIGTERM');
    await new Promise((resolve) => sender.once('exit', resolve));
    if (!isAway) collector.close();
  }
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
