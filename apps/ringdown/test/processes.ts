import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Pids of processes whose command line names the folder, or that work in it, as those of the database do. */
export function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      if (!/^\d+$/.test(pid)) return false;
      const isNamed = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
      return isNamed || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      // It ended in the meantime.
      return false;
    }
  });
}
