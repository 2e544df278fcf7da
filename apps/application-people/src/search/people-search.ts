import type { Directory, People } from '@ringdown/directory';
import type { Logger, Metrics } from '@ringdown/observability';
import { PeopleIndex, type SearchResult } from './people-index.js';

export interface PeopleSearchOptions {
  readonly directory: Directory;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The search over the people of now: a change of the directory makes a new index. */
export class PeopleSearch {
  private index: PeopleIndex;
  private readonly seconds;
  private readonly stopFollowing: () => void;

  constructor({ directory, logger, metrics }: PeopleSearchOptions) {
    this.seconds = metrics.seconds('people_search_seconds', 'Time to search the people');
    this.index = new PeopleIndex(directory.people.all);
    this.stopFollowing = directory.onChange((people: People) => {
      this.index = new PeopleIndex(people.all);
      logger.info({ people: people.all.length }, 'the people search has the new people');
    });
  }

  search(query: string, limit: number): SearchResult {
    const end = this.seconds.startTimer();
    const result = this.index.search(query, limit);
    end();
    return result;
  }

  close(): void {
    this.stopFollowing();
  }
}
