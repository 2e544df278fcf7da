/**
 * Loaded into a service with `--import`: SIGUSR2 starts a profile of its main thread, and another one ends it and writes it to the file
 * of `BENCH_PROFILE`: `{ profile, utilization, collecting, cpuSeconds }`, the second the share of time that the loop was not idle,
 * the third seconds of garbage collection.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { performance, PerformanceObserver } from 'node:perf_hooks';

const session = new Session();
let started;
let collecting = 0;
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) collecting += duration / 1_000;
}).observe({ entryTypes: ['gc'] });
process.on('SIGUSR2', () => void (started === undefined ? begin() : end()));

async function begin() {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  started = { loop: performance.eventLoopUtilization(), cpu: process.cpuUsage(), collecting };
}

async function end() {
  const { utilization } = performance.eventLoopUtilization(started.loop);
  const { user, system } = process.cpuUsage(started.cpu);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const measured = { utilization, cpuSeconds: (user + system) / 1e6, collecting: collecting - started.collecting };
  started = undefined;
  writeFileSync(process.env.BENCH_PROFILE, JSON.stringify({ ...measured, profile }));
}
