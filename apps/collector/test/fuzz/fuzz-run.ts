import { startNats } from '@ringdown/testing/servers/nats';
import { Started } from '@ringdown/testing/started';
import { startCollector } from '../collector-process.js';
import { startRecord } from '../running-collector.js';
import type { Answers } from './answers.js';
import { fuzz } from './fuzzer.js';
import { fuzzInlet, type InletFuzz } from './inlet-fuzzer.js';

export interface FuzzRun extends InletFuzz {
  readonly seconds: number;
}

/** One body in this many is sent over HTTP; the inlet itself processes many times as many. */
const OVER_HTTP = 10;
/** Small enough that a leak ends the process before it affects the machine. */
const HEAP_MEGABYTES = 96;
const SETTINGS = { LOG_LEVEL: 'info', COLLECTOR_STORE_MS: '60000', RECORDS_MAX_BYTES: String(64 * 1024 * 1024) };

/**
 * Sends this many hostile bodies to a collector, a tenth of them over HTTP to one in a separate process, with a real
 * bus behind it. Throws when a reply is neither 200 nor 4xx, when the process ends, and when it does not accept a good
 * record afterwards.
 */
export async function runFuzz(inputs: number, seed: number): Promise<FuzzRun> {
  const started = new Started();
  try {
    const began = performance.now();
    const nats = started.add(await startNats());
    const env = { ...SETTINGS, NATS_URL: nats.url, NODE_OPTIONS: `--max-old-space-size=${HEAP_MEGABYTES}` };
    const collector = started.add(await startCollector(env));
    const { pid } = collector;
    const posted = Math.ceil(inputs / OVER_HTTP);
    const answered = await fuzz({ port: collector.port, inputs: posted, seed });
    if (collector.pid !== pid) throw new Error('the collector has ended');
    const headers = { 'content-type': 'text/xml' };
    const good = await fetch(collector.base, { method: 'POST', body: startRecord(), headers });
    if (good.status !== 200) throw new Error(`a good record is answered with ${good.status}`);
    const { answers, heap } = await fuzzInlet(nats.url, seed, posted, inputs);
    return { answers: sum(answered, answers), heap, seconds: (performance.now() - began) / 1_000 };
  } finally {
    await started.stopAll();
  }
}

function sum(one: Answers, other: Answers): Answers {
  const all = new Map(one);
  for (const [answer, count] of other) all.set(answer, (all.get(answer) ?? 0) + count);
  return all;
}
