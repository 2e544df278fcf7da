import { UsageError } from '@ringdown/settings';
import { readCommandLine } from './command-line.js';
import { COMMANDS, hint, usage, version } from './usage.js';

describe('the command line', () => {
  it('has a default for every option', () => {
    expect(readCommandLine(['demo'])).toEqual({
      command: 'demo',
      to: 'http://localhost:8080',
      durationSeconds: 2_000_000,
      hours: undefined,
      operator: undefined,
      seed: 1,
      frontEnds: 3,
      json: false,
    });
  });

  it('reads the options of generate', () => {
    expect(readCommandLine(['generate', '--calls', '5', '--rate', '2.5', '--loss', '0.1', '--json'])).toEqual({
      command: 'generate',
      to: 'http://localhost:8080',
      calls: 5,
      rate: 2.5,
      seed: 1,
      frontEnds: 2,
      loss: 0.1,
      duplicates: 0,
      reordered: 0,
      json: true,
    });
  });

  it('reads the collector of run, and leaves it to the settings by default', () => {
    expect(readCommandLine(['run'])).toEqual({ command: 'run', to: undefined });
    expect(readCommandLine(['run', '--to', 'http://x'])).toEqual({ command: 'run', to: 'http://x' });
    expect(readCommandLine(['status', '--json'])).toEqual({ command: 'status', json: true });
  });

  it('reports an error in one line', () => {
    const read = (): unknown => readCommandLine(['demo', '--seed', '-1']);
    expect(read).toThrow(new UsageError("Option '--seed' argument is ambiguous"));
  });

  it.each([[[]], [['--help']], [['-h']]])('shows the help for %j', (args) => {
    expect(readCommandLine(args)).toEqual({ command: 'help' });
  });

  it.each(COMMANDS)('shows the help for %s alone', (about) => {
    for (const option of ['-h', '--help']) expect(readCommandLine([about, option])).toEqual({ command: 'help', about });
    expect(usage(about)).toContain(`  ${about} `);
    expect(usage()).toContain(usage(about).split('\n\n', 1)[0]);
  });

  it('prints the version', () => {
    expect(readCommandLine(['--version'])).toEqual({ command: 'version' });
    expect(version()).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('points to the help of a known command, or to that of the program', () => {
    expect([hint('replay'), hint('dance'), hint(undefined)]).toEqual([
      'see ringdown-sender replay --help\n',
      'see ringdown-sender --help\n',
      'see ringdown-sender --help\n',
    ]);
  });

  it.each([
    [['dance'], 'unknown command "dance"; commands: run, generate, replay, status, demo'],
    [['demo', 'twice'], 'unexpected argument "twice"'],
    [['demo', '--sead', '2'], "Unknown option '--sead'"],
    [['demo', '--seed'], "Option '--seed <value>' argument missing"],
    [['demo', '--seed', '-1'], "Option '--seed' argument is ambiguous"],
    [['demo', '--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5"'],
    [['demo', '--front-ends', '0'], '--front-ends must be a whole number from 1 to 50, not "0"'],
    [['generate', '--loss', '1.5'], '--loss must be a number from 0 to 1, not "1.5"'],
    [['generate', '--rate', 'fast'], '--rate must be a number from 0 to 100000, not "fast"'],
    [['replay'], 'replay needs at least one file'],
    [['status', '--to', 'x'], "Unknown option '--to'"],
    [['run', 'now'], 'unexpected argument "now"'],
    [['demo', '--duration', ''], '--duration must be a whole number'],
  ])('rejects %j', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
