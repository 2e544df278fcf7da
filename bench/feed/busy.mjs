// Processor time of each process while something is done, and of the whole machine.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/**
 * Of one run of `work`: `seconds` of each of `clocks`, functions that return the processor time so far, and the `share` of the machine that
 * was not idle. `others`: the part of that share that neither the clocks nor the work (`result.cpuSeconds`) have used.
 */
export async function busyDuring(clocks, work) {
  const used = () => Object.entries(clocks).map(([name, clock]) => [name, clock()]);
  const [before, machine, began] = [new Map(used()), busyMachineSeconds(), performance.now()];
  const result = await work();
  const elapsed = (performance.now() - began) / 1_000;
  const seconds = Object.fromEntries(used().map(([name, now]) => [name, now - before.get(name)]));
  const busy = busyMachineSeconds() - machine;
  const known = Object.values(seconds).reduce((sum, used) => sum + used, result.cpuSeconds ?? 0);
  const shareOf = (used) => used / elapsed / availableParallelism();
  return { result, seconds, share: shareOf(busy), others: Math.max(0, shareOf(busy - known)), elapsed };
}

/** Seconds of all processors that were not idle, of whatever process. */
function busyMachineSeconds() {
  const [user, nice, system, , , interrupts, softInterrupts] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts) / 100;
}
