import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { ContextModule } from '../context.module.js';
import { PeopleSearch } from './people-search.js';

/** The index of all people. */
@Module({
  imports: [ContextModule],
  providers: [
    {
      provide: PeopleSearch,
      inject: [DIRECTORY, LOGGER, Metrics],
      useFactory: (directory: Directory, logger: Logger, metrics: Metrics) =>
        PeopleSearch.open({ directory, logger, metrics }),
    },
  ],
  exports: [PeopleSearch],
})
export class SearchModule implements OnApplicationShutdown {
  constructor(private readonly search: PeopleSearch) {}

  async onApplicationShutdown(): Promise<void> {
    await this.search.close();
  }
}
