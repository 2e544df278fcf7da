import { errorReason } from '@ringdown/errors';
import { ownCommand, UsageError } from '@ringdown/settings';
import { parseArgs } from 'node:util';

export const USAGE = `Usage: ${ownCommand('dead-letters', '<command>')}

  list [--limit N]           records that could not become part of a call, the newest first; default: 50
  show NUMBER                one of them whole, as JSON
  replay NUMBER... | --all   reads them again and puts them into the feed; what cannot be read stays
  delete NUMBER... | --all   removes them for good

The numbers are those of the list. DEAD_LETTERS_MAX_AGE_HOURS and DEAD_LETTERS_MAX_BYTES say how long they are kept.
`;

const COMMANDS = ['list', 'show', 'replay', 'delete'] as const;

export interface CommandLine {
  readonly command: (typeof COMMANDS)[number];
  readonly numbers: readonly number[];
  readonly all: boolean;
  readonly limit: number;
}

/** Throws {@link UsageError}. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  const { positionals, values } = parsedArguments(argv);
  const [name, ...words] = positionals;
  const command = COMMANDS.find((each) => each === name);
  if (command === undefined)
    throw new UsageError(name === undefined ? 'no command given' : `unknown command "${name}"`);
  const { all = false, limit = '50' } = values;
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit must be a number from 1 to 999999');
  if (all && (command === 'list' || command === 'show')) throw new UsageError(`${command} does not accept --all`);
  return { command, numbers: numbersFor(command, words, all), all, limit: Number(limit) };
}

function numbersFor(command: CommandLine['command'], words: readonly string[], all: boolean): readonly number[] {
  const wrong = words.find((word) => !/^[1-9]\d{0,14}$/.test(word));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is not the number of a dead letter`);
  const wantsNone = command === 'list' || all;
  if (wantsNone === words.length > 0) {
    throw new UsageError(command === 'list' ? 'list accepts no numbers' : `${command} needs numbers of the list`);
  }
  return words.map(Number);
}

function parsedArguments(argv: readonly string[]): {
  positionals: readonly string[];
  values: { all?: boolean; limit?: string };
} {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { all: { type: 'boolean' }, limit: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(errorReason(error), { cause: error });
  }
}
