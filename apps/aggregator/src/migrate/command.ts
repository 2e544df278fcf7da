import { errorReason } from '@ringdown/errors';
import { createLogger } from '@ringdown/observability';
import { ownCommand, readSettings, UsageError } from '@ringdown/settings';
import { parseArgs } from 'node:util';
import { databaseUrlSettings } from '../database-servers.js';
import { runCommand, type CommandIo } from '../run-command.js';
import { Database } from '../store/database/database.js';
import {
  measureMigrations,
  planMigrations,
  type MigrationPlan,
  type PlannedMigration,
} from '../store/database/migration-plan.js';
import { migrate } from '../store/database/migrations.js';

export const MIGRATE_USAGE = `Usage: ${ownCommand('migrate', '[--dry-run [--measure]]')}

  (nothing)             updates the schema of the database, as the start of an aggregator does
  --dry-run             lists the migrations that would run and the tables that they name; changes and locks nothing
  --dry-run --measure   runs them in a transaction that is rolled back, for their times and locks: on a stopped system or a copy
`;

/** Returns the exit code: 0 done, 1 the database was not updated, 2 wrong command line or settings. */
export function runMigrateCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommand({ name: 'migrate', usage: MIGRATE_USAGE }, argv, io, async () => {
    const { dryRun, measure } = readOptions(argv);
    const { databaseUrl } = readSettings({ databaseUrl: databaseUrlSettings.databaseUrl }, io.env);
    const logger = createLogger('migrate', { logLevel: 'warn', logFormat: 'json' });
    const database = new Database({ url: databaseUrl, poolSize: 2, logger });
    try {
      const plan = await (measure ? measureMigrations : planMigrations)(database);
      io.out(describePlan(plan));
      if (plan.pending.length === 0) return;
      if (!dryRun) await migrate(database);
      io.out(dryRun ? 'Nothing was changed.\n' : `The database has version ${plan.known}.\n`);
    } finally {
      await database.close();
    }
  });
}

function readOptions(argv: readonly string[]): { dryRun: boolean; measure: boolean } {
  const options = { 'dry-run': { type: 'boolean' }, measure: { type: 'boolean' } } as const;
  let values: { 'dry-run'?: boolean; measure?: boolean };
  try {
    ({ values } = parseArgs({ args: [...argv], options }));
  } catch (error) {
    throw new UsageError(errorReason(error), { cause: error });
  }
  const { 'dry-run': dryRun = false, measure = false } = values;
  if (measure && !dryRun) throw new UsageError('--measure needs --dry-run');
  return { dryRun, measure };
}

function describePlan({ applied, known, pending }: MigrationPlan): string {
  if (pending.length === 0)
    return `The database has version ${applied}, which this program needs: no migration would run.\n`;
  const head = `The database has version ${applied}, this program needs ${known}: ${pending.length} migration(s), in one transaction.`;
  return [head, ...pending.flatMap(describeMigration), ''].join('\n');
}

function describeMigration({ version, about, tables, measured }: PlannedMigration): string[] {
  const sizes = tables.map(({ name, rows, bytes }) => {
    const megabytes = (bytes / 1_048_576).toFixed(1);
    return `      names ${name}: about ${Math.round(rows).toLocaleString('en')} rows, ${megabytes} MiB`;
  });
  const facts =
    measured === undefined
      ? []
      : [`      took ${measured.ms} ms; others wait for: ${measured.locks.join(', ') || 'nothing'}`];
  return [`${String(version).padStart(4, '0')}  ${about}`, ...sizes, ...facts];
}
