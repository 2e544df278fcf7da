import type { Bus } from '@ringdown/nats';
import type { Health, Logger, Metrics } from '@ringdown/observability';
import { SettingsError, type SettingValues } from '@ringdown/settings';
import { FileDirectory } from './people-file/file-directory.js';
import { assertLdapSettings } from './ldap/ldap-settings.js';
import { openLdapDirectory, readCertificates } from './ldap/open-ldap-directory.js';
import { readPeopleFile } from './people-file/people-file.js';
import type { Account, Directory } from './people/directory.js';
import type { People } from './people/people.js';
import type { PeopleEditor } from './people/people-editor.js';
import type { Person } from './people/person.js';
import type { Photo } from './photos/photo.js';
import { peopleFilePath, type directorySettings } from './settings.js';
import { StoredDirectory } from './stored/stored-directory.js';

export type DirectorySettings = SettingValues<typeof directorySettings>;

/** Injects the {@link Directory} of a service. */
export const DIRECTORY = Symbol('directory');

/**
 * The objects of the process that the directory uses. A process has one of each, whatever number of services it runs.
 */
export interface DirectoryContext {
  /** Of the service that opens it first. */
  readonly bus?: Bus;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  /** Whether this service may change the people on the bus. */
  readonly owner?: boolean;
}

interface Shared {
  readonly opening: Promise<Directory>;
  users: number;
}

const shared = new WeakMap<Metrics, Shared>();

/**
 * The directory that the settings select: a directory server, a people file, or the people on the bus. Services of one process share it: the
 * people are read and stored once, and it is closed when the last of them has closed it.
 */
export async function openDirectory(settings: DirectorySettings, context: DirectoryContext): Promise<Directory> {
  const { metrics, bus, owner } = context;
  const entry = shared.get(metrics) ?? { opening: open(settings, context), users: 0 };
  shared.set(metrics, entry);
  entry.users++;
  const release = (): boolean => --entry.users === 0 && shared.delete(metrics);
  try {
    const directory = await entry.opening;
    // Each service writes with its own permissions, also where one of them has opened the directory for all.
    const isEditable = owner === true && bus !== undefined && directory instanceof StoredDirectory;
    const editor = isEditable ? await directory.editorThrough(bus) : undefined;
    const close = async (): Promise<void> => {
      if (release()) await directory.close();
    };
    return new SharedDirectory(directory, close, editor);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * For a process that starts servers before the services: throws the errors of {@link openDirectory} about its settings
 * and the files that they name.
 */
export async function assertDirectoryFiles(settings: DirectorySettings): Promise<void> {
  assertDirectorySettings(settings);
  const { peopleFile, directoryCaFile } = settings;
  if (peopleFile !== undefined) await readPeopleFile(peopleFile);
  if (directoryCaFile !== undefined) readCertificates(directoryCaFile);
}

function assertDirectorySettings(settings: DirectorySettings): void {
  assertLdapSettings(settings);
  if (settings.directoryUrls !== undefined && settings.peopleFile !== undefined) {
    throw new SettingsError(['DIRECTORY_URL and PEOPLE_FILE are both set: set only one of them']);
  }
}

async function open(settings: DirectorySettings, context: DirectoryContext): Promise<Directory> {
  const { logger, metrics, health } = context;
  const { directoryUrls: urls, sipDomains } = settings;
  assertDirectorySettings(settings);
  const directory =
    urls === undefined
      ? await openOwnDirectory(settings, context)
      : await openLdapDirectory({ urls, settings, sipDomain: sipDomains[0] ?? 'example.test', logger });
  let count = directoryPeopleCount(directory);
  directory.onChange((people) => (count = people.size));
  metrics.observedGauge('people', 'People in the directory', () => count);
  metrics.observedGauge(
    'directory_stale',
    '1 while the directory or the people file cannot be read and older people are served',
    () => (directory.problem === undefined ? 0 : 1),
  );
  // Outdated people still count as healthy. Only a directory that has never been read is an error.
  health.add('directory', () => void directory.people);
  return directory;
}

async function openOwnDirectory(settings: DirectorySettings, { bus, logger }: DirectoryContext): Promise<Directory> {
  const peopleFile = peopleFilePath(settings);
  if (settings.peopleFile !== undefined || bus === undefined) return FileDirectory.open({ file: peopleFile, logger });
  return StoredDirectory.open({ bus, logger, peopleFile });
}

function directoryPeopleCount(directory: Directory): number {
  return directory.problem === undefined ? directory.people.size : 0;
}

/** The share of one service in the directory of its process. */
class SharedDirectory implements Directory {
  private readonly unsubscribers: (() => void)[] = [];
  private closed = false;

  constructor(
    private readonly directory: Directory,
    private readonly release: () => Promise<void>,
    readonly editor: PeopleEditor | undefined,
  ) {}

  get people(): People {
    return this.directory.people;
  }

  get problem(): string | undefined {
    return this.directory.problem;
  }

  get renames(): Directory['renames'] {
    return this.directory.renames;
  }

  get removals(): Directory['removals'] {
    return this.directory.removals;
  }

  onChange(listener: (people: People) => void): () => void {
    const unsubscribe = this.directory.onChange(listener);
    this.unsubscribers.push(unsubscribe);
    return unsubscribe;
  }

  account(name: string): Promise<Account> {
    return this.directory.account(name);
  }

  sessionMark(person: Person): string | undefined {
    return this.directory.sessionMark(person);
  }

  hasSessionOf(...[person, session]: Parameters<Directory['hasSessionOf']>): Promise<boolean> {
    return this.directory.hasSessionOf(person, session);
  }

  hasPasswordOf(...[person, signedIn]: Parameters<Directory['hasPasswordOf']>): Promise<boolean> {
    return this.directory.hasPasswordOf(person, signedIn);
  }

  isInUse(person: Person): void {
    this.directory.isInUse(person);
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.directory.photoOf(person);
  }

  async deletePhotoOf(...[removal]: Parameters<NonNullable<Directory['deletePhotoOf']>>): Promise<void> {
    await this.directory.deletePhotoOf?.(removal);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    await this.release();
  }
}
