import { findNatsServer } from '@ringdown/embedded/bus';
import type { Check } from '../check.js';
import { ok, problem, type Finding } from '../finding.js';

export interface ProgramFacts {
  /** Undefined: not glibc (musl, macOS). */
  readonly glibc: string | undefined;
  readonly isLinux: boolean;
  readonly needsNats: boolean;
  /** What it prints; undefined if there is none of 2.10 or later. */
  readonly nats: string | undefined;
  readonly needsPostgres: boolean;
}

const LEAST_GLIBC = [2, 34] as const;

export function programFindings({ glibc, isLinux, needsNats, nats, needsPostgres }: ProgramFacts): readonly Finding[] {
  const found = [
    ...(isLinux && glibc === undefined && needsPostgres
      ? [
          problem(
            'this system has no glibc, which the database inside needs',
            'set DATABASE_URL to a PostgreSQL of your own',
          ),
        ]
      : []),
    ...(glibc !== undefined && needsNats && isOlder(glibc)
      ? [
          problem(
            `glibc ${glibc} is older than 2.34, which nats-server needs`,
            'use Debian 12, Ubuntu 22.04, RHEL 9 or later, or set NATS_URL to a running server',
          ),
        ]
      : []),
    ...(needsNats && nats === undefined
      ? [
          problem(
            'there is no nats-server of 2.10 or later',
            'on Debian "npm start" installs one; otherwise put one on the PATH, or set NATS_URL to a running server',
          ),
        ]
      : []),
  ];
  if (found.length > 0) return found;
  return [ok([nats ?? 'bus of your own', ...(glibc === undefined ? [] : [`glibc ${glibc}`])].join(', '))];
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < LEAST_GLIBC[0] || (major === LEAST_GLIBC[0] && minor < LEAST_GLIBC[1]);
}

export const PROGRAMS: Check = {
  name: 'programs',
  looksAt: 'glibc before 2.34, no nats-server of 2.10 or later',
  examine: async ({ settings }) => {
    const needsNats = settings.natsUrl === undefined;
    const { header }: { header?: { glibcVersionRuntime?: string } } = Object(process.report.getReport());
    return programFindings({
      glibc: header?.glibcVersionRuntime,
      isLinux: process.platform === 'linux',
      needsNats,
      nats: needsNats ? (await findNatsServer())?.version : undefined,
      needsPostgres: settings.databaseUrl === undefined,
    });
  },
};
