// How busy the processors of this machine are, by all that runs on it: what is idle in a step is left for another one.
import { cpus } from 'node:os';

function timesOf() {
  const all = cpus().map(({ times }) => times);
  const idle = all.reduce((sum, times) => sum + times.idle, 0);
  return { idle, whole: all.flatMap((times) => Object.values(times)).reduce((sum, ms) => sum + ms, 0) };
}

export class BusyProcessors {
  #before = timesOf();

  /** Since this was created, from 0 to 1. */
  share() {
    const { idle, whole } = timesOf();
    return 1 - (idle - this.#before.idle) / Math.max(1, whole - this.#before.whole);
  }
}
