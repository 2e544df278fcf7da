import { Bus } from '@ringdown/nats';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { DIRECTORY, openDirectory, type DirectorySettings } from './open-directory.js';
import type { Directory } from './people/directory.js';
import { isOnBus, peopleFilePath } from './settings.js';
import { storeFirstPeople } from './stored/first-people.js';

/** A provider for the container; generic, because this library does not depend on Nest. */
export interface DirectoryProvider {
  readonly provide: symbol;
  inject: (symbol | typeof Bus | typeof Metrics | typeof Health)[];
  useFactory(...of: [DirectorySettings, Bus, Logger, Metrics, Health]): Promise<Directory>;
}

/**
 * For the lowest module of a service, which exports {@link DIRECTORY} and closes it. `settings`: the token of the
 * settings; `owner`: of the service that stores the people on the bus.
 */
export function directoryProvider(settings: symbol, { owner = false } = {}): DirectoryProvider {
  return {
    provide: DIRECTORY,
    inject: [settings, Bus, LOGGER, Metrics, Health],
    useFactory: async (read, bus, logger, metrics, health) => {
      if (owner && isOnBus(read)) await storeFirstPeople({ bus, logger, peopleFile: peopleFilePath(read) });
      return openDirectory(read, { bus, logger, metrics, health, owner });
    },
  };
}
