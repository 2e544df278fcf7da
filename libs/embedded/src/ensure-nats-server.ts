import { errorReason } from '@ringdown/errors';
import { installNatsServer } from './install-nats-server.js';
import { findNatsServer, WAYS_TO_GET_ONE, type NatsProgramOptions } from './nats-program.js';

export interface EnsureOptions extends NatsProgramOptions {
  /** Called before the download, which takes some time. */
  readonly onDownload?: () => void;
  readonly install?: () => Promise<void>;
}

/** Ensures that a nats-server of 2.10 or later can be started. Rejects with the reason and possible solutions. */
export async function ensureNatsServer(options: EnsureOptions = {}): Promise<void> {
  const { onDownload, install = installNatsServer, ...search } = options;
  if ((await findNatsServer(search)) !== undefined) return;
  onDownload?.();
  try {
    await install();
  } catch (error) {
    const reason = errorReason(error);
    throw new Error(
      `nats-server 2.10 or later is missing and could not be installed (${reason}). ${WAYS_TO_GET_ONE}. ` +
        'ALLOW_OLD_NATS_SERVER=on allows an older one, which may lose the newest acknowledged records when the machine crashes',
      { cause: error },
    );
  }
}
