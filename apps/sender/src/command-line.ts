import { parseArgs } from 'node:util';

export interface DemoCommand {
  readonly command: 'demo';
  readonly to: string;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly frontEnds: number;
  /** The closing summary as one line of JSON, and no progress. */
  readonly json: boolean;
}

export type Command = DemoCommand | { readonly command: 'help' };

/** The command line is wrong; the message says what, in a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `ringdown-sender: posts call records to a collector

  demo          two front ends tell of a day of calls in a minute
    --to URL          the collector (default http://localhost:8080)
    --duration S      how long it takes, seconds (default 60)
    --seed N          another number, other calls (default 1)
    --front-ends N    how many front ends report (default 2)
    --json            no progress, and the summary as one line of JSON

Exit code: 0 when every record was answered, 1 when not, 2 for a wrong command line.
Settings from the environment: RESUME_AFTER_SECONDS, VENDOR_PROFILE.
`;

const OPTIONS = {
  to: { type: 'string', default: 'http://localhost:8080' },
  duration: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  'front-ends': { type: 'string', default: '2' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the arguments after the program's name. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = orUsageError(() =>
    parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS }),
  );
  if (values.help || positionals.length === 0) return { command: 'help' };
  const [command, extra] = positionals;
  if (command !== 'demo') throw new UsageError(`there is no command "${command}"; there is: demo`);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many`);
  return {
    command,
    to: values.to,
    durationSeconds: whole('duration', values.duration, 0, 86_400),
    seed: whole('seed', values.seed, 0, 4_294_967_295),
    frontEnds: whole('front-ends', values['front-ends'], 1, 50),
    json: values.json,
  };
}

function orUsageError<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    // The first sentence names the option; the rest explains how to quote it for a shell.
    throw new UsageError(error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error));
  }
}

function whole(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`--${option} must be a whole number from ${min} to ${max}, not "${text}"`);
  }
  return value;
}
