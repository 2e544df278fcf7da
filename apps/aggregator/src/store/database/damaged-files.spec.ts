import { createLogger } from '@ringdown/observability';
import { DatabaseError } from 'pg';
import { DamagedFiles, isDamage } from './damaged-files.js';

function failure(code: string, message: string): DatabaseError {
  const error = new DatabaseError(message, 0, 'error');
  error.code = code;
  return error;
}

const PAGE_5 = failure('XX001', 'invalid page in block 5 of relation "base/16385/16925"');
const PAGE_9 = failure('XX001', 'invalid page in block 9 of relation "base/16385/16925"');
const INDEX = failure('XX002', 'index "calls_pkey" contains corrupted page at block 3');

describe('a damaged file of the database', () => {
  it.each([
    ['a page with a wrong checksum', PAGE_5, true],
    ['an index with a page that is none', INDEX, true],
    ['a missing file', failure('58P01', 'could not open file "base/16385/16925": No such file or directory'), true],
    ['a disk that fails', failure('58030', 'could not read blocks 3..3 in file "base/5/7": Input/output error'), true],
    [
      'a missing library',
      failure('58P01', 'could not access file "$libdir/pg_trgm": No such file or directory'),
      false,
    ],
    ['a full disk', failure('53100', 'could not extend file "base/16385/16925": No space left on device'), false],
    ['another error', new Error('invalid page in block 5 of relation "base/16385/16925"'), false],
  ])('is told from other failures by its code: %s', (_what, error, expected) => {
    expect(isDamage(error)).toBe(expected);
  });

  it('is logged and counted once, until another server is used', () => {
    const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });
    const lines: unknown[] = [];
    logger.error = (line: unknown) => void lines.push(line);
    const damage = new DamagedFiles(logger);
    for (const error of [new Error('other'), PAGE_5, PAGE_9, INDEX, INDEX]) damage.note(error);
    expect(damage.count).toBe(2);
    expect(lines).toMatchObject([{ file: 'base/16385/16925', reason: PAGE_5.message }, { reason: INDEX.message }]);
    expect(() => damage.assertNone()).toThrow(
      'a file of the database is damaged: invalid page in block 5 of relation "base/16385/16925" (and 1 more)',
    );
    damage.forget();
    expect(() => damage.assertNone()).not.toThrow();
  });
});
