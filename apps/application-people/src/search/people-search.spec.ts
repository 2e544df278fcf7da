import { DirectoryUnavailable, PeopleList, type Directory, type People, type Person } from '@ringdown/directory';
import { Fault } from '@ringdown/web-server/errors';
import { Metrics } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { PeopleSearch } from './people-search.js';

function person(user: string): Person {
  const username = `${user}@example.test`;
  return { username, name: user, sipAddress: `sip:${username}`, phones: {}, roles: ['user'], contacts: [] };
}

/** A directory whose people the test sets. */
class ChangingDirectory implements Directory {
  readonly problem = undefined;
  private readonly listeners = new Set<(people: People) => void>();
  constructor(private now: People | undefined) {}

  get people(): People {
    if (this.now === undefined) throw new DirectoryUnavailable('not read yet');
    return this.now;
  }

  change(...users: string[]): void {
    this.now = new PeopleList(users.map((user) => person(user)));
    for (const listener of this.listeners) listener(this.now);
  }

  get followers(): number {
    return this.listeners.size;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  account(): ReturnType<Directory['account']> {
    const reject = (): Promise<undefined> => Promise.resolve(undefined);
    return Promise.resolve({ id: undefined, signIn: reject, reject });
  }

  sessionMark(): string {
    return '0';
  }

  hasSessionOf(): Promise<boolean> {
    return Promise.resolve(true);
  }

  hasPasswordOf(): Promise<boolean> {
    return Promise.resolve(true);
  }

  isInUse(): void {
    // It detects changes by itself.
  }

  photoOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function openSearch(directory: Directory): Promise<PeopleSearch> {
  return PeopleSearch.open({ directory, logger: quietLogger(), metrics: new Metrics() });
}

describe('the people search of a service', () => {
  it('is unavailable until the directory was read, and works afterwards', async () => {
    const directory = new ChangingDirectory(undefined);
    const search = await openSearch(directory);
    expect(() => search.search({ query: 'ann' }, 1)).toThrow(Fault);
    directory.change('ann');
    const found = await eventually('the people to be indexed', () => attempt(() => search.search({ query: 'ann' }, 1)));
    expect(found.people).toHaveLength(1);
    await search.close();
  });

  it('follows every change, and the last of many at once', async () => {
    const directory = new ChangingDirectory(new PeopleList([person('ann')]));
    const search = await openSearch(directory);
    for (let change = 0; change < 50; change++) directory.change('ann', `ann${change}`);
    const last = await eventually(
      'the last person to be indexed',
      () => search.search({ query: 'ann49' }, 1).people[0],
    );
    expect(last.username).toBe('ann49@example.test');
    expect(search.search({ query: 'ann' }, 9).people).toHaveLength(2);
    await search.close();
    expect(directory.followers).toBe(0);
  });

  it('can be closed while it builds', async () => {
    const directory = new ChangingDirectory(new PeopleList([]));
    const search = await openSearch(directory);
    directory.change(...Array.from({ length: 20_000 }, (_, number) => `user${number}`));
    await search.close();
    expect(search.search({ query: 'user1' }, 1).people).toEqual([]);
  });
});

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
