import type { Logger } from '@ringdown/observability';

/** Each start takes a moment. */
const USUAL_MS = 1_000;

/** To be called as long as a server says that it starts: logs once that it repairs its files, when it takes longer than usual. */
export function repairNotice(logger: Logger, now: () => number = () => performance.now()): () => void {
  let since: number | undefined;
  let isLogged = false;
  return () => {
    since ??= now();
    if (isLogged || now() - since < USUAL_MS) return;
    isLogged = true;
    logger.warn('the database repairs its files after a crash, which may take minutes; waiting for it');
  };
}
