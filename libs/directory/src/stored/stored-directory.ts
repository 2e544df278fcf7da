import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { defaultPasswordChecks, PasswordChecks, type PasswordCheckOptions } from '../passwords/passwords.js';
import { hashedAccount } from '../passwords/hashed-account.js';
import { DirectoryUnavailable, type Account, type Directory } from '../people/directory.js';
import type { People } from '../people/people.js';
import type { PeopleEditor } from '../people/people-editor.js';
import type { Person } from '../people/person.js';
import { PhotoFiles } from '../people-file/photo-files.js';
import type { Photo } from '../photos/photo.js';
import { PeopleStore } from './people-store.js';
import type { Removal } from '../people/stored-removal.js';
import type { Rename } from '../people/stored-rename.js';
import { StoreEditor } from './store-editor.js';

export interface StoredDirectoryOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Photos are in the folder `photos` beside this file. */
  readonly peopleFile: string;
  readonly passwordChecks?: PasswordCheckOptions;
}

/** Many changes that arrive together, as of an import, are one change for the listeners. */
const NOTIFY_MS = 50;

/** The directory in the bucket of people on the bus; the same at every replica some milliseconds after a change. */
export class StoredDirectory implements Directory {
  private readonly listeners = new Set<(people: People) => void>();
  private readonly photos: PhotoFiles;
  private notifying: NodeJS.Timeout | undefined;

  private constructor(
    private readonly store: PeopleStore,
    private readonly checks: PasswordChecks,
    { peopleFile, logger }: StoredDirectoryOptions,
  ) {
    this.photos = new PhotoFiles(peopleFile, logger);
    store.onChange(() => this.notifyLater());
  }

  /** Does not wait for first people: the service that owns them may start later. */
  static async open(options: StoredDirectoryOptions): Promise<StoredDirectory> {
    const checks = await PasswordChecks.create(options.passwordChecks ?? defaultPasswordChecks());
    const store = await PeopleStore.open({ ...options, role: 'user' });
    await store.catchUp().catch((error: unknown) => {
      // It continues to read; until then, `problem` and the health show it.
      if (!(error instanceof DirectoryUnavailable)) throw error;
    });
    return new StoredDirectory(store, checks, options);
  }

  /** Changes these people through a connection that may write them. */
  async editorThrough(bus: Bus): Promise<PeopleEditor> {
    return new StoreEditor(await this.store.through(bus));
  }

  get people(): People {
    const { isComplete, people } = this.store.state;
    if (!isComplete) throw new DirectoryUnavailable('the people have not been read from the message bus yet');
    return people;
  }

  get problem(): string | undefined {
    return this.store.state.isComplete ? undefined : 'the people have not been read from the message bus yet';
  }

  get renames(): Iterable<Rename> {
    return this.store.state.renames;
  }

  get removals(): Iterable<Removal> {
    return this.store.state.removals;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  account(name: string): Promise<Account> {
    const person = this.people.withUsername(name) ?? this.people.withSipAddress(name);
    return Promise.resolve(hashedAccount(person, this.checks, (username) => this.store.state.secretOf(username)));
  }

  async hasPasswordOf({ username }: Person, { mark }: { mark?: string | undefined }): Promise<boolean> {
    return mark === undefined || this.isCurrent(mark, () => this.store.state.secretOf(username)?.mark);
  }

  sessionMark({ username }: Person): string | undefined {
    return this.store.state.secretOf(username)?.sessions;
  }

  async hasSessionOf(person: Person, { mark, at }: { mark: string; at: number }): Promise<boolean> {
    const isCurrent = await this.isCurrent(mark, () => this.sessionMark(person));
    // Another person may have had the username then, with the same mark.
    return isCurrent && at > this.store.state.leftAt(person.username);
  }

  isInUse(): void {
    // Changes arrive by themselves.
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.photos.of(person, this.store.state.removalOf(person.username)?.endedAt);
  }

  deletePhotoOf({ person, endedAt }: Removal): Promise<void> {
    return this.photos.delete(person, endedAt);
  }

  close(): Promise<void> {
    clearTimeout(this.notifying);
    this.store.close();
    return Promise.resolve();
  }

  /** Another replica may have read a change that this one has not read yet. */
  private async isCurrent(mark: string, read: () => string | undefined): Promise<boolean> {
    if (read() !== mark) await this.store.catchUp();
    return read() === mark;
  }

  private notifyLater(): void {
    if (!this.store.state.isComplete) return;
    this.notifying ??= setTimeout(() => {
      this.notifying = undefined;
      const { people } = this.store.state;
      for (const listener of this.listeners) listener(people);
    }, NOTIFY_MS);
  }
}
