import { closeSync, openSync } from 'node:fs';
import { probeJetStream } from '../src/jetstream-probe.js';
import { makeNatsKey } from '@ringdown/nats-keys';
import type { ProbeResult } from '../src/silence.js';

// Program of a test: probe-process PORT. Probes a server with descriptors left, and without.
const probe = (): Promise<ProbeResult> =>
  probeJetStream({ port: Number(process.argv[2]), key: makeNatsKey(), withinMs: 500 });
// Everything is loaded that the second one needs.
const before = await probe();
const used: number[] = [];
try {
  for (;;) used.push(openSync('/dev/null', 'r'));
} catch {
  // None is free any more.
}
const without = await probe();
for (const each of used) closeSync(each);
process.stdout.write(JSON.stringify({ before, without }));
