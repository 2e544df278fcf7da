/**
 * What PostgreSQL says when it cannot start because of its files (xlog.c and xlogrecovery.c: pg_control, WAL; bufpage.c and
 * bufmgr.c: pages; relmapper.c and slru.c: what tells where those of a table are, and which transactions are valid).
 */
const DAMAGE = [
  /control file|pg_control/,
  /could not find the database system|not a valid data directory|database files are incompatible with server/,
  /could not locate (?:a valid|required) checkpoint record|invalid checkpoint|WAL ends before|could not open file "pg_wal\/|required WAL directory/,
  /invalid page in block|could not read blocks?|relation mapping file|could not access status of transaction/,
  /could not (?:open|read) (?:file|directory) "(?:base|global|pg_xact|pg_multixact)\b/,
];
const OTHER_LACK = /No space left on device|Permission denied|Read-only file system|Too many open files/;

/** The same reason, with the way out if files are damaged, in one line. */
export function withWayOut(reason: string, data: string): string {
  if (OTHER_LACK.test(reason) || !DAMAGE.some((damage) => damage.test(reason))) return reason;
  return (
    `${reason}. Files in ${data} are damaged or missing; nothing was changed. ` +
    'The way out is in docs/guides/backup.md, "When files of the database are damaged"'
  );
}
