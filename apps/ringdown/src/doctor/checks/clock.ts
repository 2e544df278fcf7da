import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';
import { metricTotal } from '../../metric-total.js';
import type { Check } from '../check.js';
import { ok, problem, unknown, warning, type Finding } from '../finding.js';

export interface ClockFacts {
  readonly now: Date;
  /** When this program was built: no clock can be before it. */
  readonly builtAt: Date;
  /** Whether something sets the clock; undefined if it cannot be told. */
  readonly isSynchronized: boolean | undefined;
  /** Of services and bus before the database, seconds, while the system runs. */
  readonly aheadSeconds: number | undefined;
}

const TOO_FAR_SECONDS = 2;
const REMEDY = 'install and start chrony, or: timedatectl set-ntp true';

export function clockFindings({ now, builtAt, isSynchronized, aheadSeconds = 0 }: ClockFacts): readonly Finding[] {
  const shown = now.toISOString();
  if (now < builtAt) return [problem(`the clock says ${shown}, before this program was built`, REMEDY)];
  if (Math.abs(aheadSeconds) > TOO_FAR_SECONDS)
    return [problem(`clocks differ by ${aheadSeconds} seconds: times of calls are wrong by as much`, REMEDY)];
  if (isSynchronized === false) return [warning(`the clock (${shown}) is not set by any server`, REMEDY)];
  if (isSynchronized === undefined)
    return [
      unknown(`the clock says ${shown}; whether a server sets it cannot be told`, `compare it with another; ${REMEDY}`),
    ];
  return [ok(`${shown}, set by a time server`)];
}

export const CLOCK: Check = {
  name: 'clock',
  looksAt: 'a clock before the program was built, one that no server sets, clocks of services and database that differ',
  examine: async ({ exposition }) =>
    clockFindings({
      now: new Date(),
      builtAt: statSync(process.argv[1] ?? process.execPath).mtime,
      isSynchronized: await isSynchronized(),
      aheadSeconds:
        exposition === undefined ? undefined : metricTotal(exposition, 'ringdown_aggregator_clock_ahead_seconds'),
    }),
};

async function isSynchronized(): Promise<boolean | undefined> {
  try {
    const asked = ['show', '--property=NTPSynchronized', '--value'];
    const { stdout } = await promisify(execFile)('timedatectl', asked, { timeout: 4_000 });
    return stdout.trim() === 'yes';
  } catch {
    // Without systemd, in a container.
    return undefined;
  }
}
