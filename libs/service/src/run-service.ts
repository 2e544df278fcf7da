import { errorReason } from '@ringdown/errors';
import {
  misspelledSettings,
  readSettingGroups,
  SettingsError,
  type Environment,
  type SettingFields,
  type SettingValues,
} from '@ringdown/settings';
import type { Logger } from '@ringdown/observability';
import { ServiceManager } from './service-manager.js';

/** Reads the settings of a process and rejects names that look like misspelled settings. */
export function readServiceSettings<G extends Readonly<Record<string, SettingFields>>>(
  groups: G,
  env: Environment,
): { readonly [K in keyof G]: SettingValues<G[K]> } {
  const names = Object.values(groups).flatMap((fields) => Object.values(fields).map((field) => field.env));
  const misspelled = misspelledSettings(names, env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  return readSettingGroups(groups, env);
}

/** A terminal and npm both forward Ctrl-C; a second signal within this time counts as the same one. */
const SAME_SIGNAL_MS = 1_000;
/** Compose gives a container 30 s; what is still running after this time is logged and aborted. */
const STOP_BUDGET_MS = 25_000;

export interface Program {
  readonly logger?: Logger;
  /** The state in one line, for a service manager. */
  status?(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Runs a program until SIGINT or SIGTERM, or until its launcher is gone. A failed start prints one clear line per
 * problem and exits with 2 for wrong settings and 1 for any other error; a second signal while stopping exits at once. `stopping` is aborted by the
 * first one, which ends what a start still waits for.
 */
export async function runProgram(name: string, start: (stopping: AbortSignal) => Promise<Program>): Promise<void> {
  const signalled = nextSignal();
  const stopping = new AbortController();
  void signalled.then(() => stopping.abort(new Error('stopped while it started')));
  const manager = new ServiceManager(process.env, { warn: (line) => process.stderr.write(`${name}: ${line}\n`) });
  manager.starting();
  let program: Program;
  try {
    program = await start(stopping.signal);
  } catch (error) {
    if (stopping.signal.aborted) process.exit(0);
    process.stderr.write(`${startFailure(name, error)}\n`);
    process.exit(error instanceof SettingsError ? 2 : 1);
  }
  manager.ready(() => program.status?.() ?? Promise.resolve('running'));
  const signal = await signalled;
  manager.stopping();
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

/**
 * `disconnect`: the launcher that started us with a channel (scripts/system/start.mjs) has ended, and cannot send signals any
 * more.
 */
function nextSignal(): Promise<NodeJS.Signals | 'disconnect'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
      process.on(signal, () => resolve(signal));
    }
  });
}

function startFailure(name: string, error: unknown): string {
  if (error instanceof SettingsError) return error.problems.map((problem) => `${name}: ${problem}`).join('\n');
  return `${name}: ${errorReason(error)}`;
}
