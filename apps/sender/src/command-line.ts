import { UsageError } from '@ringdown/settings';
import { parseArgs } from 'node:util';
import { isNativeError } from 'node:util/types';
import { STANDARD_INPUT } from './replay/standard-input.js';
import { COMMANDS, type CommandName } from './usage.js';

interface FeedOptions {
  readonly to: string;
  readonly seed: number;
  readonly frontEnds: number;
  /** Print the summary as one line of JSON, and no progress. */
  readonly json: boolean;
}

export interface DemoCommand extends FeedOptions {
  readonly command: 'demo';
  /** Of the live part. */
  readonly durationSeconds: number;
  /** Of the back-fill; undefined: from the beginning of yesterday on. */
  readonly hours: number | undefined;
  /** Where alert rules of the demo are created, and by whom. */
  readonly operator: { readonly origin: string; readonly usersFile: string } | undefined;
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
  /** Left out: the address in the settings. */
  readonly to: string | undefined;
}

export interface ReplayCommand {
  readonly command: 'replay';
  readonly files: readonly string[];
  readonly to: string;
  /** 1: original speed; 0: as fast as possible. */
  readonly speed: number;
  readonly json: boolean;
  /** Print the progress as lines of JSON on standard output, before the summary. */
  readonly jsonProgress: boolean;
  /** Reject text logs, whose records name any front end. */
  readonly capturesOnly: boolean;
}

export interface StatusCommand {
  readonly command: 'status';
  readonly json: boolean;
}

export interface HelpCommand {
  readonly command: 'help';
  /** Left out: all commands. */
  readonly about?: CommandName;
}

export type Command =
  | DemoCommand
  | GenerateCommand
  | ReplayCommand
  | RunCommand
  | StatusCommand
  | HelpCommand
  | { readonly command: 'version' };

const text = (value: string): { readonly type: 'string'; readonly default: string } => ({
  type: 'string',
  default: value,
});
const COMMON = { help: { type: 'boolean', short: 'h', default: false } } as const;
const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;
const REPLAY = {
  ...JSON_OPTION,
  'json-progress': { type: 'boolean', default: false },
  'captures-only': { type: 'boolean', default: false },
} as const;
const FEED = { ...COMMON, ...JSON_OPTION, to: text('http://localhost:8080'), seed: text('1'), 'front-ends': text('2') };
const LONGEST_DEMO = 2_000_000;
const LONGEST_BACK_FILL = 168;
const OPTIONAL = { type: 'string' } as const;
const DEMO = {
  'front-ends': text('3'),
  duration: text(String(LONGEST_DEMO)),
  hours: OPTIONAL,
  origin: OPTIONAL,
  users: OPTIONAL,
};
const SHARES = { loss: text('0'), duplicates: text('0'), reordered: text('0') };

const LARGEST_SEED = 4_294_967_295;

/** Reads the arguments after the program's name. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): Command {
  const [command, ...rest] = args;
  if (command === undefined || command === '-h' || command === '--help') return { command: 'help' };
  if (command === '--version') return { command: 'version' };
  switch (command) {
    case 'demo':
      return readDemo(rest);
    case 'generate':
      return readGenerate(rest);
    case 'replay':
      return readReplay(rest);
    case 'run': {
      const values = read(rest, { ...COMMON, to: { type: 'string' } });
      return values.help ? { command: 'help', about: command } : { command, to: values.to };
    }
    case 'status': {
      const values = read(rest, { ...COMMON, ...JSON_OPTION });
      return values.help ? { command: 'help', about: command } : { command, json: values.json };
    }
    default:
      throw new UsageError(`unknown command "${command}"; commands: ${COMMANDS.join(', ')}`);
  }
}

function readDemo(args: readonly string[]): Command {
  const values = read(args, { ...FEED, ...DEMO });
  if (values.help) return { command: 'help', about: 'demo' };
  const { hours, origin, users } = values;
  return {
    command: 'demo',
    ...feedOptions(values, 50),
    durationSeconds: whole('duration', values.duration, 0, LONGEST_DEMO),
    hours: hours === undefined ? undefined : decimal('hours', hours, LONGEST_BACK_FILL),
    operator: origin === undefined || users === undefined ? undefined : { origin, usersFile: users },
  };
}

function readGenerate(args: readonly string[]): Command {
  const values = read(args, { ...FEED, ...SHARES, calls: text('100'), rate: text('10') });
  if (values.help) return { command: 'help', about: 'generate' };
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
  const options = { ...COMMON, ...REPLAY, to: text('http://localhost:8080'), speed: text('1') };
  const { values, positionals: files } = parsed(args, options);
  if (values.help) return { command: 'help', about: 'replay' };
  if (files.length === 0) throw new UsageError('replay needs at least one file');
  if (files.length > 1 && files.includes(STANDARD_INPUT)) {
    throw new UsageError(`replay reads either files or standard input (${STANDARD_INPUT})`);
  }
  return {
    command: 'replay',
    files,
    to: values.to,
    speed: decimal('speed', values.speed, 1_000_000),
    json: values.json || values['json-progress'],
    jsonProgress: values['json-progress'],
    capturesOnly: values['captures-only'],
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
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}"`);
  return values;
}

function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // The first sentence names the option; the rest explains how to quote it for a shell.
    throw new UsageError(isNativeError(error) ? (error.message.split(/\.\s/, 1)[0] ?? '') : String(error));
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
