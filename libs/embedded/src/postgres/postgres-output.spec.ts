import { reasonInLog } from './postgres-output.js';

const HOW = 'exit code 1';
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
  ])('is %s', (_what, lines, index) => {
    expect(reasonInLog(`${lines.map((line) => AT + line).join('\n')}\n`, HOW)).toBe(lines[index]);
  });

  it('is how it ended where no line says why, with the last line that explains nothing', () => {
    const lines = ['LOG:  starting', 'LOG:  aborting startup', 'HINT:  wait'].map((line) => AT + line);
    expect(reasonInLog(`${lines.join('\n')}\n`, HOW)).toBe('exit code 1, last line: LOG:  aborting startup');
    expect(reasonInLog('', HOW)).toBe(HOW);
  });

  it('is a line of another program as it is', () => {
    expect(reasonInLog('unshare: unshare failed: Operation not permitted\n', HOW)).toBe(
      'unshare: unshare failed: Operation not permitted',
    );
  });
});
