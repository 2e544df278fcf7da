import { errorReason } from '@ringdown/errors';
import type { Health, Logger } from '@ringdown/observability';

interface Upgrade {
  readonly health: Pick<Health, 'report'>;
  readonly logger: Logger;
  /** Writes that the data are of this version now. */
  readonly complete: () => void;
}

const CHECK_MS = 1_000;

/** Completes an upgrade as soon as all parts are ready: now, or in the background, for as long as it takes. */
export async function completeWhenReady({ health, logger, complete }: Upgrade): Promise<{ stop(): void }> {
  let isReported = false;
  const attempt = async (): Promise<boolean> => {
    if (!(await health.report()).ready) return false;
    try {
      complete();
      return true;
    } catch (error) {
      // A full disk, most likely, which does not end what runs.
      if (!isReported) logger.warn({ reason: errorReason(error) }, 'the upgrade cannot be completed; trying again');
      isReported = true;
      return false;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const attemptUntilDone = async (): Promise<void> => {
    if (isStopped || (await attempt()) || isStopped) return;
    timer = setTimeout(() => void attemptUntilDone(), CHECK_MS).unref();
  };
  await attemptUntilDone();
  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
