import { reasonInLog } from './postgres-output.js';

const AT = '2026-11-28 03:36:55.701 UTC [15628] ';

describe('the reason in the log of PostgreSQL', () => {
  it.each([
    ['the fatal line before its explanation', [`FATAL:  incorrect checksum in control file`, `DETAIL:  more`], 0],
    [
      'the panic before the other processes end',
      [
        `PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device`,
        `CONTEXT:  writing`,
        `LOG:  checkpointer process (PID 7) was terminated by signal 6: Aborted`,
        `LOG:  database system is shut down`,
      ],
      0,
    ],
    [
      'not what clients were answered meanwhile',
      ['FATAL:  could not write', 'FATAL:  the database system is not yet accepting connections', 'DETAIL:  wait'],
      0,
    ],
    ['the last line that explains nothing', ['LOG:  starting', 'LOG:  aborting startup', 'HINT:  wait'], 1],
  ])('is %s', (_what, lines, index) => {
    expect(reasonInLog(`${lines.map((line) => AT + line).join('\n')}\n`)).toBe(lines[index]);
  });

  it('is a line of another program as it is, and nothing where there is none', () => {
    expect(reasonInLog('unshare: unshare failed: Operation not permitted\n')).toBe(
      'unshare: unshare failed: Operation not permitted',
    );
    expect(reasonInLog('')).toBe('');
  });
});
