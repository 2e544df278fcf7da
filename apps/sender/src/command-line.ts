import {
  decimalNumber,
  DEFAULT_COLLECTOR,
  FEED_OPTIONS,
  feedOptions,
  HELP_OPTION,
  JSON_OPTION,
  parseArguments,
  parseOptions,
  textOption,
  wholeNumber,
  type FeedOptions,
} from '@ringdown/feed-client/command';
import { UsageError } from '@ringdown/settings';
import { STANDARD_INPUT } from './replay/standard-input.js';
import { COMMANDS, type CommandName } from './usage.js';

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
  GenerateCommand | ReplayCommand | RunCommand | StatusCommand | HelpCommand | { readonly command: 'version' };

const REPLAY = {
  ...HELP_OPTION,
  ...JSON_OPTION,
  'json-progress': { type: 'boolean', default: false },
  'captures-only': { type: 'boolean', default: false },
  to: textOption(DEFAULT_COLLECTOR),
  speed: textOption('1'),
} as const;
const SHARES = { loss: textOption('0'), duplicates: textOption('0'), reordered: textOption('0') };

/** Reads the arguments after the program's name. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): Command {
  const [command, ...rest] = args;
  if (command === undefined || command === '-h' || command === '--help') return { command: 'help' };
  if (command === '--version') return { command: 'version' };
  switch (command) {
    case 'generate':
      return readGenerate(rest);
    case 'replay':
      return readReplay(rest);
    case 'run': {
      const values = parseOptions(rest, { ...HELP_OPTION, to: { type: 'string' } });
      return values.help ? { command: 'help', about: command } : { command, to: values.to };
    }
    case 'status': {
      const values = parseOptions(rest, { ...HELP_OPTION, ...JSON_OPTION });
      return values.help ? { command: 'help', about: command } : { command, json: values.json };
    }
    default:
      throw new UsageError(`unknown command "${command}"; commands: ${COMMANDS.join(', ')}`);
  }
}

function readGenerate(args: readonly string[]): Command {
  const values = parseOptions(args, { ...FEED_OPTIONS, ...SHARES, calls: textOption('100'), rate: textOption('10') });
  if (values.help) return { command: 'help', about: 'generate' };
  return {
    command: 'generate',
    ...feedOptions(values, 1_000),
    calls: wholeNumber('calls', values.calls, 1, 10_000_000),
    rate: decimalNumber('rate', values.rate, 100_000),
    loss: decimalNumber('loss', values.loss, 1),
    duplicates: decimalNumber('duplicates', values.duplicates, 1),
    reordered: decimalNumber('reordered', values.reordered, 1),
  };
}

function readReplay(args: readonly string[]): Command {
  const { values, positionals: files } = parseArguments(args, REPLAY);
  if (values.help) return { command: 'help', about: 'replay' };
  if (files.length === 0) throw new UsageError('replay needs at least one file');
  if (files.length > 1 && files.includes(STANDARD_INPUT)) {
    throw new UsageError(`replay reads either files or standard input (${STANDARD_INPUT})`);
  }
  return {
    command: 'replay',
    files,
    to: values.to,
    speed: decimalNumber('speed', values.speed, 1_000_000),
    json: values.json || values['json-progress'],
    jsonProgress: values['json-progress'],
    capturesOnly: values['captures-only'],
  };
}
