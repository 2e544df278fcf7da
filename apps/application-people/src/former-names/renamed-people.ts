import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, isBefore, isFinished, type Directory, type Rename } from '@ringdown/directory';
import { Meetings, type Meeting } from '@ringdown/meetings';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContactLists } from '../contact-lists/contact-lists.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Presences } from '../presence/presences.js';
import { PendingChanges } from './pending-changes.js';

/**
 * Moves what this service keeps under the names of people to their new ones: contact list, settings, meetings and
 * presence (ADR 0064). Each replica does so for every rename that it learns of; what was moved already is found moved.
 */
@Injectable()
export class RenamedPeople {
  private readonly pending: PendingChanges<Rename & { username: string }>;

  constructor(
    @Inject(DIRECTORY) directory: Directory,
    private readonly contactLists: ContactLists,
    private readonly settings: PersonalSettings,
    private readonly meetings: Meetings,
    private readonly presences: Presences,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.pending = new PendingChanges({
      directory,
      changes: ({ people, renames = [] }) =>
        [...renames]
          .filter((rename) => isFinished(rename, people))
          .map((rename) => ({ ...rename, username: rename.from.username })),
      run: (rename) => this.moveOne(rename),
      logger,
      failure: 'could not move what a renamed person has stored; retrying',
    });
  }

  /** Resolves when everything was tried that was known at the call. */
  move(): Promise<void> {
    return this.pending.run();
  }

  close(): Promise<void> {
    return this.pending.close();
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
