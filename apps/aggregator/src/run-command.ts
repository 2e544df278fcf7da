import { errorReason } from '@ringdown/errors';
import { SettingsError, UsageError, type Environment } from '@ringdown/settings';

export interface CommandIo {
  readonly env: Environment;
  out(text: string): void;
  err(text: string): void;
}

export interface Command {
  /** Of the script, before each error. */
  readonly name: string;
  readonly usage: string;
}

/** Prints the usage, or does the work, which may return another code. Returns the exit code: 0 done, 1 it has failed, 2 wrong command line or settings. */
export async function runCommand(
  { name, usage }: Command,
  argv: readonly string[],
  io: CommandIo,
  work: () => Promise<number | void>,
): Promise<number> {
  if (argv.includes('--help')) {
    io.out(usage);
    return 0;
  }
  try {
    return (await work()) ?? 0;
  } catch (error) {
    const reason = errorReason(error);
    io.err(error instanceof UsageError ? `${name}: ${reason}\n\n${usage}` : `${name}: ${reason}\n`);
    return error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
  }
}
