import { MAX_ASKED_PEOPLE, PEOPLE_KNOWN_PATTERN, type PeopleKnownRequest } from '@ringdown/contracts/people';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { FixedDelayTask } from '../feed/fixed-delay-task.js';
import type { SearchOwners } from '../search/saved/search-owners.js';

export interface SearchOwnerCheckOptions {
  readonly owners: SearchOwners;
  readonly bus: Pick<Bus, 'request'>;
  /** Creates the tables. */
  readonly reader: { readonly isPrepared: boolean };
  readonly logger: Logger;
}

const PERIOD_MS = 60_000;
const REQUEST_MS = 5_000;
/** Long enough to notice that a person was removed by mistake, or that a directory was not read completely. */
const DAYS_WITHOUT_OWNER = 7;

/** Deletes the saved searches of people who were removed from the directory. Any replica may do it. */
export class SearchOwnerCheck {
  private readonly task: FixedDelayTask;

  constructor(private readonly options: SearchOwnerCheckOptions) {
    this.task = new FixedDelayTask({
      // After a start, the tables may not exist yet.
      work: () => (options.reader.isPrepared ? this.check() : Promise.resolve()),
      periodMs: PERIOD_MS,
      logger: options.logger,
      failure: 'the owners of saved searches could not be checked; trying again in a minute',
      recovery: 'the owners of saved searches are checked again',
    });
  }

  start(): void {
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  async check(): Promise<void> {
    const { owners, logger } = this.options;
    let page = await owners.list(MAX_ASKED_PEOPLE);
    while (page.length > 0) {
      await owners.mark(page, await this.knownOf(page));
      page = await owners.list(MAX_ASKED_PEOPLE, page.at(-1));
    }
    const searches = await owners.deleteMissing(DAYS_WITHOUT_OWNER);
    if (searches > 0) logger.info({ searches }, 'saved searches of removed people were deleted');
  }

  /** Throws without a reply, so that no person counts as removed. */
  private async knownOf(usernames: readonly string[]): Promise<readonly string[]> {
    const request: PeopleKnownRequest = { usernames };
    const reply = await this.options.bus.request(PEOPLE_KNOWN_PATTERN, request, REQUEST_MS);
    const known = typeof reply === 'object' && reply !== null && 'known' in reply ? reply.known : undefined;
    if (Array.isArray(known) && known.every((each) => typeof each === 'string')) return known;
    throw new Error(`the reply to ${PEOPLE_KNOWN_PATTERN} has no list of usernames`);
  }
}
