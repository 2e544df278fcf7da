import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { ownCommand } from '@ringdown/settings';
import type { Check } from '../check.js';
import { ok, warning, type Finding } from '../finding.js';

export interface MemoryFacts {
  readonly totalMb: number;
  /** Of the database inside; undefined with one of the operator's. */
  readonly databaseMb: number | undefined;
  /** The most files and connections that a process may have open; undefined if it cannot be told. */
  readonly descriptors: number | undefined;
}

const LEAST_MB = 1_000;
/** With fewer, limits of connections are reduced (libs/node-http). */
const FEW_DESCRIPTORS = 8_192;

export function memoryFindings({ totalMb, databaseMb, descriptors }: MemoryFacts): readonly Finding[] {
  const sizing = ownCommand('sizing', '--calls-per-hour N');
  const found = [
    ...(totalMb < LEAST_MB
      ? [warning(`this machine has ${totalMb} MB of memory`, `1 GB is the least; "${sizing}" computes what calls need`)]
      : []),
    ...(databaseMb !== undefined && databaseMb > totalMb / 2
      ? [
          warning(
            `DATABASE_MEMORY_MB is ${databaseMb}, more than half of ${totalMb} MB`,
            'set it to a quarter of the machine',
          ),
        ]
      : []),
    ...(descriptors !== undefined && descriptors < FEW_DESCRIPTORS
      ? [
          warning(
            `a process may have ${descriptors} files and connections open`,
            'LimitNOFILE=65536 in the unit, or "ulimit -n 65536" before the start',
          ),
        ]
      : []),
  ];
  return found.length > 0
    ? found
    : [ok(`${totalMb} MB, ${descriptors ?? 'unknown'} files and connections for a process`)];
}

export const MEMORY: Check = {
  name: 'memory',
  looksAt: 'less than 1 GB, a database that may use more than half of it, fewer than 8,192 open files for a process',
  examine: ({ settings }) => {
    const limit = process.constrainedMemory();
    const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
    return memoryFindings({
      totalMb: Math.floor(bytes / 1_000_000),
      databaseMb: settings.databaseUrl === undefined ? settings.databaseMemory : undefined,
      descriptors: descriptors(),
    });
  },
};

/** Node raises the soft limit to the hard one when it starts. */
function descriptors(): number | undefined {
  try {
    const [, most] = /^Max open files\s+\S+\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return most === undefined || most === 'unlimited' ? undefined : Number(most);
  } catch {
    return undefined;
  }
}
