import { UsageError } from '@ringdown/settings';
import { readCommandLine } from './command-line.js';
import { COMMANDS, hint, usage, version } from './usage.js';

describe('the command line', () => {
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
    [['demo'], 'unknown command "demo"; commands: run, generate, replay, status'],
    [['dance'], 'unknown command "dance"; commands: run, generate, replay, status'],
    [['generate', 'twice'], 'unexpected argument "twice"'],
    [['generate', '--sead', '2'], "Unknown option '--sead'"],
    [['generate', '--seed'], "Option '--seed <value>' argument missing"],
    [['generate', '--seed', '-1'], "Option '--seed' argument is ambiguous"],
    [['generate', '--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5"'],
    [['generate', '--front-ends', '0'], '--front-ends must be a whole number from 1 to 1000, not "0"'],
    [['generate', '--loss', '1.5'], '--loss must be a number from 0 to 1, not "1.5"'],
    [['generate', '--rate', 'fast'], '--rate must be a number from 0 to 100000, not "fast"'],
    [['replay'], 'replay needs at least one file'],
    [['status', '--to', 'x'], "Unknown option '--to'"],
    [['run', 'now'], 'unexpected argument "now"'],
    [['generate', '--calls', ''], '--calls must be a whole number'],
  ])('rejects %j', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
