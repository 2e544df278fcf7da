import { CoalescedTask } from '@ringdown/concurrency';
import { DirectoryUnavailable, type Directory, type People } from '@ringdown/directory';
import { Fault } from '@ringdown/web-server/errors';
import type { Logger, Metrics } from '@ringdown/observability';
import { UpdatableIndex, type SearchResult } from './updatable-index.js';
import type { PeopleQuery } from './people-index.js';
import { inSlices } from './sliced.js';

export interface PeopleSearchOptions {
  readonly directory: Directory;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * A new index uses a third of the time while searches go on; the first one, which all searches wait for, uses all of
 * it.
 */
const PAUSE_MS = 6;

/** The search over the current people: a change of the directory builds a new index beside the one in use. */
export class PeopleSearch {
  private index: UpdatableIndex | undefined;
  /** All changes that arrive while an index is built are in the next one. */
  private readonly building = new CoalescedTask(() => this.build());
  private newest: People | undefined;
  private lastBuild: Promise<void> | undefined;
  private readonly closing = new AbortController();
  private readonly seconds;
  private readonly unsubscribe: () => void;

  private constructor(private readonly options: PeopleSearchOptions) {
    this.seconds = options.metrics.seconds('people_search_seconds', 'Time to search the people');
    this.unsubscribe = options.directory.onChange((people) => this.onPeople(people));
  }

  /** Ready to search, unless the directory could not be read yet. */
  static async open(options: PeopleSearchOptions): Promise<PeopleSearch> {
    const search = new PeopleSearch(options);
    try {
      search.onPeople(options.directory.people);
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable)) throw error;
    }
    await search.lastBuild;
    return search;
  }

  /** Throws {@link Fault} `unavailable` until people could be read. */
  search(query: PeopleQuery, limit: number): SearchResult {
    if (this.index === undefined) {
      throw new Fault('unavailable', {
        message: 'The directory has not been read yet; try again shortly.',
        headers: { 'retry-after': '5' },
      });
    }
    const end = this.seconds.startTimer();
    const result = this.index.search(query, limit);
    end();
    return result;
  }

  async close(): Promise<void> {
    this.unsubscribe();
    this.closing.abort();
    await this.lastBuild;
  }

  private onPeople(people: People): void {
    this.newest = people;
    this.lastBuild = this.building.run();
  }

  private async build(): Promise<void> {
    const { logger } = this.options;
    const { signal } = this.closing;
    if (this.newest === undefined || signal.aborted) return;
    const { all } = this.newest;
    const started = performance.now();
    try {
      this.index = await (this.index === undefined
        ? inSlices(UpdatableIndex.of(all), { signal })
        : inSlices(this.index.updated(all), { signal, pauseMs: PAUSE_MS }));
      logger.info(
        { people: all.length, ms: Math.round(performance.now() - started) },
        'updated the index of the people search',
      );
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
