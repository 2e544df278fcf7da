import {
  misspelledSettings,
  readSettingGroups,
  SettingsError,
  type SettingFields,
  type SettingValues,
} from '@ringdown/settings';
import type { Logger } from '@ringdown/observability';
import { contextSettings, openContext, type ServiceContext } from './service-context.js';

/** Something that runs until it is closed. Closing stops accepting, finishes what is in flight and frees everything. */
export interface Running {
  /** Said in the log once it serves. */
  readonly address?: string;
  close(): Promise<void>;
}

export interface Service<F extends SettingFields> {
  readonly name: string;
  /** The service's own settings, beside those that every service has. */
  readonly fields: F;
  start(settings: SettingValues<F>, context: ServiceContext): Promise<Running>;
}

/** The whole life of a service process: settings, start, signals, graceful stop, exit code. */
export async function runService<F extends SettingFields>(service: Service<F>): Promise<void> {
  await runProgram(service.name, async () => {
    const { own, common } = readServiceSettings({ own: service.fields, common: contextSettings });
    return inContext(service.name, common, (context) => service.start(own, context));
  });
}

/** Reads a process' settings and refuses names that are nearly, but not, one of them. */
export function readServiceSettings<G extends Readonly<Record<string, SettingFields>>>(
  groups: G,
): { readonly [K in keyof G]: SettingValues<G[K]> } {
  const names = Object.values(groups).flatMap((fields) => Object.values(fields).map((field) => field.env));
  const misspelled = misspelledSettings(names, process.env);
  if (misspelled.length > 0) throw new SettingsError(misspelled);
  return readSettingGroups(groups, process.env);
}

/** Opens the context, starts the service in it, and closes both in the right order. */
export async function inContext(
  name: string,
  common: SettingValues<typeof contextSettings>,
  start: (context: ServiceContext) => Promise<Running>,
): Promise<Program> {
  const context = await openContext(name, common);
  try {
    const running = await start(context);
    context.logger.info({ address: running.address }, `${name} is running`);
    return {
      logger: context.logger,
      close: async () => {
        context.health.startDraining();
        await running.close();
        await context.close();
      },
    };
  } catch (error) {
    await context.close();
    throw error;
  }
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
 * Runs a program until SIGINT or SIGTERM. A failed start prints one clear line a problem and exits with 2 for wrong
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

function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
}

function startFailure(name: string, error: unknown): string {
  if (error instanceof SettingsError) return error.problems.map((problem) => `${name}: ${problem}`).join('\n');
  return `${name}: ${error instanceof Error ? error.message : String(error)}`;
}
