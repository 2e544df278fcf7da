import { Inject, Injectable } from '@nestjs/common';
import { CoalescedTask, PeriodicTask } from '@ringdown/concurrency';
import {
  DIRECTORY,
  DirectoryUnavailable,
  isBefore,
  isFinished,
  type Directory,
  type Rename,
} from '@ringdown/directory';
import { reasonOf } from '@ringdown/errors';
import { Meetings, type Meeting } from '@ringdown/meetings';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Presences } from '../presence/presences.js';

/** What failed is tried again after this time. */
const RETRY_MS = 5_000;

/**
 * Moves what this service keeps under the names of people to their new ones: contact list, settings, meetings and
 * presence (ADR 0064). Each replica does so for every rename that it learns of, also of those before its start; what was moved
 * already is found moved.
 */
@Injectable()
export class RenamedPeople {
  /** By old username, the time of the last rename that was moved. */
  private readonly moved = new Map<string, number>();
  private readonly task = new CoalescedTask(() => this.moveAll());
  private readonly retrying = new PeriodicTask({ periodMs: RETRY_MS, run: () => this.move() });
  private readonly unsubscribe: () => void;

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    private readonly contactLists: ContactLists,
    private readonly settings: PersonalSettings,
    private readonly meetings: Meetings,
    private readonly presences: Presences,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.unsubscribe = directory.onChange(() => void this.move());
  }

  /** Resolves when everything was tried that was known at the call. */
  move(): Promise<void> {
    return this.task.run();
  }

  async close(): Promise<void> {
    this.unsubscribe();
    await this.retrying.stop();
    await this.task.run();
  }

  private async moveAll(): Promise<void> {
    // In their order: a person may have been renamed several times.
    for (const rename of this.pendingNow().toSorted((one, other) => one.at - other.at)) {
      try {
        await this.moveOne(rename);
        this.moved.set(rename.from.username, rename.at);
      } catch (error) {
        if (error instanceof DirectoryUnavailable) return;
        // Those of others go on.
        this.logger.warn({ reason: reasonOf(error) }, 'could not move what a renamed person has stored; retrying');
      }
    }
  }

  /** None while the directory is not available. */
  private pendingNow(): Rename[] {
    try {
      return this.pending();
    } catch (error) {
      if (error instanceof DirectoryUnavailable) return [];
      throw error;
    }
  }

  private pending(): Rename[] {
    const { people, renames = [] } = this.directory;
    return [...renames].filter((rename) => {
      return this.moved.get(rename.from.username) !== rename.at && isFinished(rename, people);
    });
  }

  private async moveOne(rename: Rename): Promise<void> {
    const { from, to } = rename;
    await this.contactLists.move(rename);
    await this.settings.move(rename);
    if (from.sipAddress !== to.sipAddress) {
      const isOwn = ({ createdAt }: Meeting): boolean => isBefore(rename, createdAt);
      await this.meetings.move(from.sipAddress, to.sipAddress, isOwn);
    }
    await this.presences.move(rename);
  }
}
