import { reasonOf } from '@ringdown/errors';
import {
  misspelledSettings,
  readSettingGroups,
  SettingsError,
  type Environment,
  type SettingFields,
  type SettingValues,
} from '@ringdown/settings';
import type { Logger } from '@ringdown/observability';

/** Reads a process' settings and refuses names that are nearly, but not, one of them. */
export function readServiceSettings<G extends Readonly<Record<string, SettingFields>>>(
  groups: G,
  env: Environment,
): { readonly [K in keyof G]: SettingValues<G[K]> } {
  const names = Object.values(groups).flatMap((fields) => Object.values(fields).map((field) => field.env));
  const misspelled = misspelledSettings(names, env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  return readSettingGroups(groups, env);
}

/** A terminal and npm both pass Ctrl-C on; what comes at once is the same wish said twice. */
const SAME_SIGNAL_MS = 1_000;
/** Compose gives a container 30 s; what has not ended by then is said and cut off. */
const STOP_BUDGET_MS = 25_000;

export interface Program {
  readonly logger?: Logger;
  close(): Promise<void>;
}

/**
 * Runs a program until SIGINT or SIGTERM, or until its launcher is gone. A failed start prints one clear line a problem and exits with 2 for wrong
 * settings and 1 for everything else; a second signal while stopping exits at once.
 */
export async function runProgram(name: string, start: () => Promise<Program>): Promise<void> {
  const signalled = nextSignal();
  let program: Program;
  try {
    program = await start();
  } catch (error) {
    process.stderr.write(`${startFailure(name, error)}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
  const signal = await signalled;
  program.logger?.info({ signal }, 'stopping');
  setTimeout(() => void nextSignal().then(() => process.exit(130)), SAME_SIGNAL_MS).unref();
  const timer = setTimeout(() => {
    process.stderr.write(`${name}: did not stop within ${STOP_BUDGET_MS / 1000} s; ending it\n`);
    process.exit(1);
  }, STOP_BUDGET_MS);
  await program.close();
  clearTimeout(timer);
  process.exit(0);
}

/** `disconnect`: the launcher that has started us over a channel (scripts/start.mjs) has ended, and cannot signal any more. */
function nextSignal(): Promise<NodeJS.Signals | 'disconnect'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
      process.on(signal, () => resolve(signal));
    }
  });
}

function startFailure(name: string, error: unknown): string {
  if (error instanceof SettingsError) return error.problems.map((problem) => `${name}: ${problem}`).join('\n');
  return `${name}: ${reasonOf(error)}`;
}
