import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { DIRECTORY, openDirectory, type DirectorySettings } from './open-directory.js';
import type { Directory } from './people.js';

/** A provider for the container; generic, because this library does not depend on Nest. */
export interface DirectoryProvider {
  readonly provide: symbol;
  inject: (symbol | typeof Metrics | typeof Health)[];
  useFactory(settings: DirectorySettings, logger: Logger, metrics: Metrics, health: Health): Promise<Directory>;
}

/**
 * For the lowest module of a service, which exports {@link DIRECTORY} and closes it. `settings`: the token of the
 * settings.
 */
export function directoryProvider(settings: symbol): DirectoryProvider {
  return {
    provide: DIRECTORY,
    inject: [settings, LOGGER, Metrics, Health],
    useFactory: (read, logger, metrics, health) => openDirectory(read, { logger, metrics, health }),
  };
}
