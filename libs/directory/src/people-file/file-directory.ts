import { Mutex } from '@ringdown/concurrency';
import { errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import { FileWatch } from '@ringdown/settings';
import { defaultPasswordChecks, PasswordChecks, type PasswordCheckOptions } from '../passwords/passwords.js';
import { personSecret, type Secret } from '../passwords/secret.js';
import { hashedAccount } from '../passwords/hashed-account.js';
import type { Account, Directory } from '../people/directory.js';
import { PeopleList, type People } from '../people/people.js';
import { readPeopleFile } from './people-file.js';
import { withKnownContacts } from '../people/people-file-format.js';
import { personWithoutSecrets, type Person, type PersonEntry } from '../people/person.js';
import type { Photo } from '../photos/photo.js';
import { PhotoFiles } from './photo-files.js';

export interface FileDirectoryOptions {
  readonly file: string;
  readonly logger: Logger;
  /** How often the file is checked. Polling works on every kind of volume; file notifications do not. */
  readonly pollMs?: number;
  readonly passwordChecks?: PasswordCheckOptions;
}

const POLL_MS = 1000;

/**
 * The directory in a people file. A changed file takes effect by itself; an invalid one leaves the people unchanged.
 */
export class FileDirectory implements Directory {
  people: People = new PeopleList([]);
  private secrets: ReadonlyMap<string, Secret> = new Map();
  /** When the last successful reading began, milliseconds since 1970. */
  private readAt = 0;
  private readonly listeners = new Set<(people: People) => void>();
  private readonly reading = new Mutex();
  private failure: string | undefined;
  private readonly photos: PhotoFiles;
  private readonly watch: FileWatch;

  private constructor(
    private readonly options: FileDirectoryOptions,
    private readonly checks: PasswordChecks,
  ) {
    this.photos = new PhotoFiles(options.file, options.logger);
    this.watch = new FileWatch([options.file]);
  }

  /** Throws {@link PeopleFileError} in one line when the file is missing or wrong. */
  static async open(options: FileDirectoryOptions): Promise<FileDirectory> {
    const checks = await PasswordChecks.create(options.passwordChecks ?? defaultPasswordChecks());
    const directory = new FileDirectory(options, checks);
    const now = Date.now();
    directory.apply(await readPeopleFile(options.file), now);
    directory.watch.start(() => void directory.readAgain(), options.pollMs ?? POLL_MS);
    return directory;
  }

  async close(): Promise<void> {
    this.watch.close();
    await this.reading.waitForUnlock();
  }

  get problem(): string | undefined {
    return this.failure;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  account(name: string): Promise<Account> {
    const person = this.people.withUsername(name) ?? this.people.withSipAddress(name);
    return Promise.resolve(hashedAccount(person, this.checks, (username) => this.secrets.get(username)));
  }

  async hasPasswordOf({ username }: Person, { mark, at }: { mark?: string | undefined; at: number }): Promise<boolean> {
    return mark === undefined || this.isCurrent(mark, at, () => this.secrets.get(username)?.mark);
  }

  sessionMark({ username }: Person): string | undefined {
    return this.secrets.get(username)?.sessions;
  }

  async hasSessionOf(person: Person, { mark, at }: { mark: string; at: number }): Promise<boolean> {
    return this.isCurrent(mark, at, () => this.sessionMark(person));
  }

  isInUse(): void {
    // The regular checks of the file are recent enough.
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.photos.of(person);
  }

  /** Reads the file again if it differs and may be newer: another process may have read it later than this one. */
  private async isCurrent(mark: string, at: number, read: () => string | undefined): Promise<boolean> {
    if (read() !== mark && at >= this.readAt) await this.readAgain();
    return read() === mark;
  }

  private readAgain(): Promise<void> {
    return this.reading.runExclusive(() => this.reload());
  }

  private async reload(): Promise<void> {
    const { logger, file } = this.options;
    const now = Date.now();
    try {
      this.apply(await readPeopleFile(file), now);
      this.failure = undefined;
      logger.info({ people: this.people.all.length }, 'reloaded the people file');
    } catch (error) {
      this.failure = errorReason(error);
      logger.error(
        { reason: this.failure, people: this.people.all.length },
        'cannot read the people file; the people last read stay in use',
      );
    }
  }

  private apply(read: readonly PersonEntry[], now: number): void {
    const { known: entries, skipped } = withKnownContacts(read);
    if (skipped !== undefined) {
      const { logger, file } = this.options;
      logger.warn({ file, contacts: skipped }, 'contacts ignored: their usernames are not in the people file');
    }
    this.readAt = now;
    this.secrets = new Map(entries.map((entry) => [entry.username, personSecret(entry)]));
    this.people = new PeopleList(entries.map(personWithoutSecrets));
    for (const listener of this.listeners) listener(this.people);
  }
}
