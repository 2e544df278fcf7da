import { embeddedNatsUrl } from '@ringdown/embedded/bus';
import type { Environment } from '@ringdown/settings';

/** The bus for a backup or restore: that of the settings, or the embedded one that runs in `folder`. */
export function backupBus(natsUrl: string | undefined, folder: string): Environment {
  if (natsUrl !== undefined) return { NATS_URL: natsUrl };
  return {
    NATS_URL: embeddedNatsUrl(folder, 'backup'),
    NATS_URL_PEOPLE: embeddedNatsUrl(folder, 'backup-people'),
  };
}
