import { withWayOut } from './postgres-damage.js';

const DATA = '/data/database/postgresql-18';

describe('the way out of damaged files', () => {
  it.each([
    'FATAL:  incorrect checksum in control file',
    'but could not open file "/data/database/postgresql-18/global/pg_control": No such file or directory',
    'FATAL:  database files are incompatible with server',
    'FATAL:  required WAL directory "pg_wal" does not exist',
    'PANIC:  could not read file "global/pg_control": read 100 of 8192',
    'PANIC:  could not locate a valid checkpoint record at 0/17A3F40',
    'FATAL:  relation mapping file "base/5/pg_filenode.map" contains incorrect checksum',
    'FATAL:  could not open file "base/5/pg_filenode.map": No such file or directory',
    'FATAL:  could not access status of transaction 731',
  ])('is told beside "%s"', (reason) => {
    expect(withWayOut(reason, DATA)).toBe(
      `${reason}. Files in ${DATA} are damaged or missing; nothing was changed. ` +
        'The way out is in docs/guides/backup.md, "When files of the database are damaged"',
    );
  });

  it.each([
    'PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device',
    'FATAL:  could not open file "global/pg_control": Permission denied',
    'FATAL:  invalid value for parameter "shared_buffers": "many"',
    'unshare: unshare failed: Operation not permitted',
  ])('is not told beside "%s"', (reason) => {
    expect(withWayOut(reason, DATA)).toBe(reason);
  });
});
