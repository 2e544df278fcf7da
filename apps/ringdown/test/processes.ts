import { readdirSync, readFileSync } from 'node:fs';

/** Pids of processes whose command line names the folder. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
    } catch {
      // It ended in the meantime.
      return false;
    }
  });
}
