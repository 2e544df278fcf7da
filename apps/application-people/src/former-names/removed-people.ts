import { Inject, Injectable } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { isGone, isRemoved, type PersonNames, type Removal, type Rename } from '@ringdown/directory/stored';
import { LOGGER, type Logger } from '@ringdown/observability';
import { PendingChanges } from './pending-changes.js';
import { PersonalData } from './personal-data.js';

/**
 * Deletes what removed people have stored: personal data and photo (ADR 0064), so that it does
 * not stay, and is not found by another person who gets the name.
 */
@Injectable()
export class RemovedPeople {
  private readonly pending: PendingChanges<Removal & { key: string }>;

  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    private readonly data: PersonalData,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.pending = new PendingChanges({
      directory,
      changes: ({ people, removals = [] }) =>
        [...removals]
          .filter((removal) => isRemoved(removal, people))
          .map((removal) => ({ ...removal, key: removal.person.username })),
      run: (removal) => this.deleteOne(removal),
      logger,
      failure: 'could not delete what a removed person has stored; retrying',
    });
  }

  /** Resolves when everything was tried that was known at the call. */
  delete(): Promise<void> {
    return this.pending.run();
  }

  close(): Promise<void> {
    return this.pending.close();
  }

  private async deleteOne(removal: Removal): Promise<void> {
    const { person, at, endedAt = Number.POSITIVE_INFINITY } = removal;
    await this.data.delete(person, endedAt);
    // This service may have been down during the rename and the removal: then nothing was moved.
    for (const { from, endedAt: renamedAt = endedAt } of this.renamesTo(person, at)) {
      await this.data.delete(from, renamedAt);
    }
    await this.directory.deletePhotoOf?.(removal);
  }

  /** The renames by which the person got this name before that time, the last one first. */
  private renamesTo({ username }: PersonNames, before: number): readonly Rename[] {
    const { people, renames = [] } = this.directory;
    const all = [...renames];
    const found: Rename[] = [];
    let [name, at] = [username, before];
    for (;;) {
      const last = all
        // After one that was interrupted, the old name is still that of a person, who keeps everything.
        .filter((rename) => rename.to.username === name && rename.at < at && isGone(rename, people))
        .toSorted((a, b) => b.at - a.at)[0];
      if (last === undefined) return found;
      found.push(last);
      [name, at] = [last.from.username, last.at];
    }
  }
}
