import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ownCommand } from '@ringdown/settings';
import { readSystemStatus, type StatusCode } from '../../status.js';
import type { Check } from '../check.js';
import { ok, problem, warning, type Finding } from '../finding.js';

export interface StateFacts {
  readonly code: StatusCode;
  /** What `status` prints. */
  readonly lines: readonly string[];
  readonly hasData: boolean;
  /** Since the newest backup; undefined if there is none in the usual folder. */
  readonly backupDays: number | undefined;
  readonly backups: string;
}

const OLD_DAYS = 7;

export function stateFindings({ code, lines, hasData, backupDays, backups }: StateFacts): readonly Finding[] {
  const [first = '', ...rest] = lines;
  // Parts that are well say so; the rest is why it is not ready.
  const reasons = rest
    .filter((line) => / (?!ok$|https?:)\S+$/.test(line) && !/^\s+(?:\d|\S+ .*https?:)/.test(line))
    .map((line) => line.trim());
  const isCrashed = first.includes('without a regular stop');
  const found = [
    ...(code === 1
      ? [
          problem(
            [first, ...reasons].join('; '),
            `"${ownCommand('status')}" shows each part; docs/guides/operating.md, "What to watch"`,
          ),
        ]
      : []),
    ...(code === 3 && isCrashed
      ? [warning(first, `"${ownCommand('start')}" starts it; the end of its log tells why it ended`)]
      : []),
    ...(hasData && (backupDays === undefined || backupDays > OLD_DAYS)
      ? [
          warning(
            backupDays === undefined
              ? `there is no backup in ${backups}`
              : `the newest backup in ${backups} is ${backupDays} days old`,
            `${ownCommand('backup')}, each night (docs/guides/backup.md); ignore this if yours are elsewhere`,
          ),
        ]
      : []),
  ];
  return found.length > 0 ? found : [ok(code === 0 ? 'it runs and is ready' : 'it does not run')];
}

export const STATE: Check = {
  name: 'state',
  looksAt: 'a system that is not ready, has lost records, has damaged files or has crashed; no backup for a week',
  examine: async ({ dataDir, backups }) =>
    stateFindings({
      ...(await readSystemStatus(dataDir)),
      hasData: existsSync(join(dataDir, 'first-users.json')) || existsSync(join(dataDir, 'database')),
      backupDays: daysSinceBackup(backups),
      backups,
    }),
};

const DAY_MS = 86_400_000;
/** What a backup is completed with, and what is in the name of its folder until then (apps/aggregator/src/backup/backup-writer.ts). */
const MANIFEST = 'manifest.json';
const INCOMPLETE = '.incomplete-';

/** Age of the newest complete backup in a folder; undefined if there is none. */
export function daysSinceBackup(folder: string): number | undefined {
  if (!existsSync(folder)) return undefined;
  const times = readdirSync(folder)
    .filter((name) => !name.includes(INCOMPLETE) && existsSync(join(folder, name, MANIFEST)))
    .map((name) => statSync(join(folder, name, MANIFEST)).mtimeMs);
  return times.length === 0 ? undefined : Math.floor((Date.now() - Math.max(...times)) / DAY_MS);
}
