// Runs test files against servers that are processes of this machine: their files in memory, one PostgreSQL for all.
import { runJest } from './jest-run.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { startSharedPostgres } from './shared-postgres.mjs';
import { runKind } from './tally.mjs';

/** So many files at once keep two cores busy: each waits now and then. */
const WORKERS = 5;

/** Ends with the counts; `pattern` is of compiled paths. */
export async function runServerTests(kind, { name, pattern }) {
  const temporary = memoryFolder();
  const memory = temporary === undefined ? {} : { TMPDIR: temporary };
  const postgres = await startSharedPostgres(memory);
  const env = { ...memory, ...postgres.env };
  await runKind(kind, (tally, folder) => runJest(tally, { name, pattern, folder, workers: WORKERS, env }));
  await postgres.stop();
}
