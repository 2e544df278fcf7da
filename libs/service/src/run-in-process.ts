import type { Logger } from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import type { Program } from './run-service.js';
import { openProcess, type contextSettings, type ProcessContext } from './service-context.js';

export interface StartedInProcess {
  readonly app: { close(): Promise<void> };
  /** The address on which it listens, for the log. */
  readonly address: string | undefined;
}

/** Starts the only service of a process; everything opened is closed in order, also when the start fails. */
export async function runInProcess(
  name: string,
  settings: SettingValues<typeof contextSettings>,
  stopping: AbortSignal | undefined,
  start: (shared: ProcessContext) => Promise<StartedInProcess>,
): Promise<Program> {
  const shared = await openProcess(name, settings, stopping);
  // The parts that a service checks are known only when it runs.
  const started = shared.health.startStarting();
  try {
    const { app, address } = await start(shared);
    started();
    shared.logger.info({ address }, `${name} is running`);
    const close = async (): Promise<void> => {
      shared.health.startDraining();
      await app.close();
      await shared.close();
    };
    return { logger: shared.logger, close };
  } catch (error) {
    await shared.close();
    throw error;
  }
}

/** Closes what a failed start has opened; the error of the start is the one that is reported. */
export async function closeAfterFailure(app: { close(): Promise<void> } | undefined, logger: Logger): Promise<void> {
  try {
    await app?.close();
  } catch (error) {
    logger.error({ err: error }, 'cleanup after a failed start did not succeed');
  }
}
