import { readCommandLine, UsageError } from './command-line.js';

describe('the command line', () => {
  it('has an answer for everything that is left out', () => {
    expect(readCommandLine(['demo'])).toEqual({
      command: 'demo',
      to: 'http://localhost:8080',
      durationSeconds: 60,
      seed: 1,
      frontEnds: 2,
      json: false,
    });
  });

  it.each([[[]], [['--help']], [['demo', '-h']]])('shows the help for %j', (args) => {
    expect(readCommandLine(args)).toEqual({ command: 'help' });
  });

  it.each([
    [['dance'], 'there is no command "dance"'],
    [['demo', 'twice'], '"twice" is one argument too many'],
    [['demo', '--sead', '2'], "Unknown option '--sead'"],
    [['demo', '--seed'], "Option '--seed <value>' argument missing"],
    [['demo', '--seed', '-1'], "Option '--seed' argument is ambiguous"],
    [['demo', '--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5"'],
    [['demo', '--front-ends', '0'], '--front-ends must be a whole number from 1 to 50, not "0"'],
    [['demo', '--duration', ''], '--duration must be a whole number'],
  ])('%j is wrong', (args, message) => {
    expect(() => readCommandLine(args)).toThrow(UsageError);
    expect(() => readCommandLine(args)).toThrow(message);
  });
});
