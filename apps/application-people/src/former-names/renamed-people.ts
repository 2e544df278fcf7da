import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { isFinished, type Rename } from '@ringdown/directory/stored';
import { LOGGER, type Logger } from '@ringdown/observability';
import { PendingChanges } from './pending-changes.js';
import { PersonalData } from './personal-data.js';

/**
 * Moves what this service keeps under the names of people to their new ones (ADR 0064). Each replica does so for every
 * rename that it learns of.
 */
@Injectable()
export class RenamedPeople {
  private readonly pending: PendingChanges<Rename & { key: string }>;

  constructor(@Inject(DIRECTORY) directory: Directory, data: PersonalData, @Inject(LOGGER) logger: Logger) {
    this.pending = new PendingChanges({
      directory,
      changes: ({ people, renames = [] }) =>
        [...renames]
          .filter((rename) => isFinished(rename, people))
          .map(({ from, to, ...rename }) => ({
            ...rename,
            from,
            // The address may have been changed again, and is moved to at once.
            to: people.withUsername(to.username) ?? to,
            key: `${from.username} ${from.sipAddress}`,
          })),
      run: (rename) => data.move(rename),
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
}
