import type { BusUrl } from '@ringdown/nats';
import { BUS_USER_NAMES, startNatsServer, type EmbeddedNats } from '@ringdown/embedded/bus';
import { refuseOldDatabase, startDatabase } from '@ringdown/embedded/database';
import type { Logger } from '@ringdown/observability';
import type { SettingValues } from '@ringdown/settings';
import type { DataFolder } from './data-folder.js';
import type { InnerServers } from './server-reports.js';
import type { ringdownSettings } from './settings.js';

/**
 * The bus and the database behind the services: those of the operator, or child processes with files in the data
 * folder.
 */
export interface Servers {
  /** For one service, which has its own key if the bus is ours. */
  busFor(service: string): BusUrl;
  readonly databaseUrl: string;
  /** Those that are child processes. */
  readonly inner: InnerServers;
  /** Of those that write files which another version of them may not read. */
  readonly versions: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Beside those of the system: what only the services for calls need of the database. */
type ServerSettings = SettingValues<typeof ringdownSettings> & { readonly databasePoolSize?: number };

interface StartOptions {
  readonly stopping?: AbortSignal | undefined;
  /** Called when nothing is in the way of the start any more, and nothing was changed yet. */
  readonly begin?: () => Promise<void>;
}

export async function startServers(
  settings: ServerSettings,
  data: Pick<DataFolder, 'in'>,
  logger: Logger,
  { stopping, begin }: StartOptions = {},
): Promise<Servers> {
  // Before the bus moves its files: the version that made them must still be able to read them.
  if (settings.databaseUrl === undefined) refuseOldDatabase(data.in('database'));
  await begin?.();
  const allowOld = settings.allowOldNatsServer === 'on';
  const nats =
    settings.natsUrl === undefined ? startNatsServer({ folder: data.in('nats'), logger, allowOld }) : undefined;
  const { databaseMemory: memory, databasePoolSize: poolSize } = settings;
  const database =
    settings.databaseUrl === undefined
      ? startDatabase({ folder: data.in('database'), logger, memory, poolSize, stopping })
      : undefined;
  const [bus, store] = await Promise.allSettled([nats, database]);
  const stop = async (): Promise<void> => {
    // The database is stopped last: messages that the bus still has are read again at the next start.
    if (bus.status === 'fulfilled') await bus.value?.stop();
    if (store.status === 'fulfilled') await store.value?.stop();
  };
  if (bus.status === 'rejected' || store.status === 'rejected') {
    await stop();
    throw bus.status === 'rejected' ? bus.reason : store.status === 'rejected' ? store.reason : undefined;
  }
  return {
    busFor: (service) => {
      const user = BUS_USER_NAMES.find((name) => name === service);
      if (user === undefined) throw new Error(`the bus has no user for the service ${service}`);
      return settings.natsUrl ?? bus.value?.urlOf(user) ?? '';
    },
    databaseUrl: settings.databaseUrl ?? store.value?.url ?? '',
    versions: busVersion(bus.value),
    inner: { ...(bus.value && { bus: bus.value }), ...(store.value && { database: store.value }) },
    stop,
  };
}

function busVersion(bus: EmbeddedNats | undefined): Servers['versions'] {
  return bus === undefined ? {} : { nats: bus.version };
}
