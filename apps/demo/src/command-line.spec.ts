import { UsageError } from '@ringdown/settings';
import { readCommandLine, USAGE } from './command-line.js';

describe('the command line of the demo', () => {
  it('has a default for every option', () => {
    expect(readCommandLine([])).toEqual({
      to: 'http://localhost:8080',
      durationSeconds: 2_000_000,
      hours: undefined,
      culprit: undefined,
      operator: undefined,
      sitesFile: undefined,
      seed: 1,
      frontEnds: 3,
      json: false,
    });
  });

  it('reports an error in one line', () => {
    expect(() => readCommandLine(['--seed', '-1'])).toThrow(new UsageError("Option '--seed' argument is ambiguous"));
  });

  it('shows the help, which names every option', () => {
    for (const option of ['-h', '--help']) expect(readCommandLine([option])).toBeUndefined();
    for (const option of [
      'to',
      'hours',
      'duration',
      'seed',
      'front-ends',
      'culprit',
      'origin',
      'users',
      'sites',
      'json',
    ])
      expect(USAGE).toContain(`--${option} `);
  });

  it.each([
    [['twice'], 'unexpected argument "twice"'],
    [['--sead', '2'], "Unknown option '--sead'"],
    [['--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5"'],
    [['--front-ends', '0'], '--front-ends must be a whole number from 1 to 50, not "0"'],
    [
      ['--culprit', 'cable'],
      '--culprit must be one of headset, accessPoint, trunk, site, driver, codec, hop, none, random',
    ],
    [['--duration', ''], '--duration must be a whole number'],
  ])('rejects %j', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
