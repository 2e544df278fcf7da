import { parseArgs } from 'node:util';

interface FeedOptions {
  readonly to: string;
  readonly seed: number;
  readonly frontEnds: number;
  /** The closing summary as one line of JSON, and no progress. */
  readonly json: boolean;
}

export interface DemoCommand extends FeedOptions {
  readonly command: 'demo';
  readonly durationSeconds: number;
}

export interface GenerateCommand extends FeedOptions {
  readonly command: 'generate';
  readonly calls: number;
  /** Calls a second; 0: as fast as the collector answers. */
  readonly rate: number;
  /** Shares of the records, 0 to 1. */
  readonly loss: number;
  readonly duplicates: number;
  readonly reordered: number;
}

export interface RunCommand {
  readonly command: 'run';
  /** Left out: as the settings say. */
  readonly to: string | undefined;
}

export interface ReplayCommand {
  readonly command: 'replay';
  readonly files: readonly string[];
  readonly to: string;
  /** 1: as it was; 0: at once. */
  readonly speed: number;
  readonly json: boolean;
}

export interface StatusCommand {
  readonly command: 'status';
  readonly json: boolean;
}

export type Command =
  DemoCommand | GenerateCommand | ReplayCommand | RunCommand | StatusCommand | { readonly command: 'help' };

/** The command line is wrong; the message says what, in a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `ringdown-sender: posts call records to a collector

  run           takes what SIP front ends capture (HEP) and tells the collector of their calls
    --to URL          the collector (default: SUBMIT_URI)

  generate      sends made-up calls, for tests under load
    --to URL          the collector (default http://localhost:8080)
    --calls N         how many calls (default 100)
    --rate R          calls a second; 0: as fast as the collector answers (default 10)
    --front-ends N    how many front ends report (default 2)
    --seed N          another number, other calls (default 1)
    --loss P          share of the records that are never sent, 0 to 1 (default 0)
    --duplicates P    share of the records that are sent twice (default 0)
    --reordered P     share of the records that come later than their turn (default 0)
    --json            no progress, and the summary as one line of JSON

  replay FILE…  tells what files hold: captures of packets (pcap, pcapng), text logs of a sender (its input or output)
    --to URL          the collector (default http://localhost:8080)
    --speed N         how many times as fast as it was; 0: at once (default 1)
    --json            the summary as one line of JSON

  status        what the sender that runs on this machine has done
    --json            as one line of JSON

  demo          two front ends tell of a day of calls in a minute
    --to URL          the collector (default http://localhost:8080)
    --duration S      how long it takes, seconds (default 60)
    --seed N          another number, other calls (default 1)
    --front-ends N    how many front ends report (default 2)
    --json            no progress, and the summary as one line of JSON

Exit code: 0 when every record was answered, 1 when not, 2 for a wrong command line, 130 when it was interrupted.
Settings come from the environment: RESUME_AFTER_SECONDS, VENDOR_PROFILE, for "replay" also FRONT_END, OUTPUT_SCHEMA,
HIDE_PII and OBFUSCATION_SEED, for "run" those of docs/settings.md.
`;

const text = (value: string): { readonly type: 'string'; readonly default: string } => ({
  type: 'string',
  default: value,
});
const COMMON = { help: { type: 'boolean', short: 'h', default: false } } as const;
const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;
const FEED = { ...COMMON, ...JSON_OPTION, to: text('http://localhost:8080'), seed: text('1'), 'front-ends': text('2') };
const SHARES = { loss: text('0'), duplicates: text('0'), reordered: text('0') };

const LARGEST_SEED = 4_294_967_295;

/** Reads the arguments after the program's name. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): Command {
  const [command, ...rest] = args;
  if (command === undefined || command === '-h' || command === '--help') return { command: 'help' };
  switch (command) {
    case 'demo':
      return readDemo(rest);
    case 'generate':
      return readGenerate(rest);
    case 'replay':
      return readReplay(rest);
    case 'run': {
      const values = read(rest, { ...COMMON, to: { type: 'string' } });
      return values.help ? { command: 'help' } : { command, to: values.to };
    }
    case 'status': {
      const values = read(rest, { ...COMMON, ...JSON_OPTION });
      return values.help ? { command: 'help' } : { command, json: values.json };
    }
    default:
      throw new UsageError(`there is no command "${command}"; there are: run, generate, replay, status, demo`);
  }
}

function readDemo(args: readonly string[]): Command {
  const values = read(args, { ...FEED, duration: text('60') });
  if (values.help) return { command: 'help' };
  return {
    command: 'demo',
    ...feedOptions(values, 50),
    durationSeconds: whole('duration', values.duration, 0, 86_400),
  };
}

function readGenerate(args: readonly string[]): Command {
  const values = read(args, { ...FEED, ...SHARES, calls: text('100'), rate: text('10') });
  if (values.help) return { command: 'help' };
  return {
    command: 'generate',
    ...feedOptions(values, 1_000),
    calls: whole('calls', values.calls, 1, 10_000_000),
    rate: decimal('rate', values.rate, 100_000),
    loss: decimal('loss', values.loss, 1),
    duplicates: decimal('duplicates', values.duplicates, 1),
    reordered: decimal('reordered', values.reordered, 1),
  };
}

function readReplay(args: readonly string[]): Command {
  const options = { ...COMMON, ...JSON_OPTION, to: text('http://localhost:8080'), speed: text('1') };
  const { values, positionals: files } = parsed(args, options);
  if (values.help) return { command: 'help' };
  if (files.length === 0) throw new UsageError('replay needs the name of a file');
  return {
    command: 'replay',
    files,
    to: values.to,
    speed: decimal('speed', values.speed, 1_000_000),
    json: values.json,
  };
}

interface FeedValues {
  readonly to: string;
  readonly seed: string;
  readonly 'front-ends': string;
  readonly json: boolean;
}

function feedOptions(values: FeedValues, maxFrontEnds: number): FeedOptions {
  return {
    to: values.to,
    seed: whole('seed', values.seed, 0, LARGEST_SEED),
    frontEnds: whole('front-ends', values['front-ends'], 1, maxFrontEnds),
    json: values.json,
  };
}

type OptionTable = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

type Parsed<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ args: string[]; allowPositionals: true; options: O }>
>;

function parsed<O extends OptionTable>(args: readonly string[], options: O): Parsed<O> {
  return orUsageError(() => parseArgs({ args: [...args], allowPositionals: true, options }));
}

function read<O extends OptionTable>(args: readonly string[], options: O): Parsed<O>['values'] {
  const { values, positionals } = parsed(args, options);
  const [extra] = positionals;
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many`);
  return values;
}

function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // The first sentence names the option; the rest explains how to quote it for a shell.
    throw new UsageError(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error));
  }
}

function whole(option: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < min || value > max) {
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}, not "${given}"`);
  }
  return value;
}

function decimal(option: string, given: string, max: number): number {
  const value = Number(given);
  if (!/^\d+(?:\.\d+)?$/.test(given) || value > max) {
    throw new UsageError(`--${option} must be a number from 0 to ${max}, not "${given}"`);
  }
  return value;
}
