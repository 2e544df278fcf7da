import type { Person } from '@ringdown/directory';
import { orderKey, PeopleIndex, type Match, type PeopleQuery } from './people-index.js';
import { Shards } from './shards.js';
import type { Sliced } from './sliced.js';

export interface SearchResult {
  /** Best match first. */
  readonly people: readonly Person[];
  /** Whether more people match than were requested. */
  readonly moreResultsAvailable: boolean;
}

/** The changes since the main index was built. */
interface Recent {
  /** The index of people who are new or have changed. */
  readonly index: PeopleIndex;
  /** Positions in the main index of people who are gone or have changed, in ascending order. */
  readonly removed: Uint32Array;
}

/**
 * After more changes than these a new main index is built: each search scans the changes, and each change indexes all
 * of them again.
 */
const MAX_CHANGES = 2_000;
const YIELD_EVERY = 1_024;

/**
 * An index that follows the directory: the main index stays as it was built, and a small second index contains the
 * people who have changed since, so that a change is cheap however many people there are.
 */
export class UpdatableIndex {
  private constructor(
    private readonly main: PeopleIndex,
    /** Positions in the main index, by username. */
    private readonly positions: Shards,
    private readonly recent: Recent | undefined,
  ) {}

  static *of(all: readonly Person[]): Sliced<UpdatableIndex> {
    const main = yield* PeopleIndex.of(all);
    const positions = new Shards();
    for (const [at, { username }] of main.people.entries()) {
      positions.set(username, at);
      if (at % YIELD_EVERY === 0) yield;
    }
    return new UpdatableIndex(main, positions, undefined);
  }

  /** The index for the current people; an unchanged person is the same object as before. */
  *updated(all: readonly Person[]): Sliced<UpdatableIndex> {
    const { people } = this.main;
    const isUnchanged = new Uint8Array(people.length);
    const added: Person[] = [];
    let removedCount = people.length;
    for (const [at, person] of all.entries()) {
      const position = this.positions.get(person.username);
      if (position !== undefined && people[position] === person) {
        isUnchanged[position] = 1;
        removedCount--;
      } else if (added.push(person) > MAX_CHANGES) {
        return yield* UpdatableIndex.of(all);
      }
      if (at % YIELD_EVERY === 0) yield;
    }
    if (removedCount > MAX_CHANGES) return yield* UpdatableIndex.of(all);
    const removed = new Uint32Array(removedCount);
    for (let at = isUnchanged.indexOf(0), count = 0; at !== -1; at = isUnchanged.indexOf(0, at + 1))
      removed[count++] = at;
    const recent = added.length + removedCount === 0 ? undefined : { index: yield* PeopleIndex.of(added), removed };
    return new UpdatableIndex(this.main, this.positions, recent);
  }

  /** The best `limit` matches. A query without words or digits matches no one. */
  search(query: PeopleQuery, limit: number): SearchResult {
    const { main, recent } = this;
    const { best, count } = main.search(query, limit, recent?.removed);
    if (recent === undefined) return { people: best.map(({ person }) => person), moreResultsAvailable: count > limit };
    const changed = recent.index.search(query, limit);
    const people = changed.count === 0 ? best : merged(best, changed.best).slice(0, limit);
    return {
      people: people.map(({ person }) => person),
      moreResultsAvailable: count + changed.count > limit,
    };
  }
}

/** Merges both in the order that a single index of all of them would have. */
function merged(some: readonly Match[], others: readonly Match[]): Match[] {
  const keyed = [...some, ...others].map((match) => ({ match, key: orderKey(match.person) }));
  keyed.sort((a, b) => b.match.score - a.match.score || (a.key < b.key ? -1 : 1));
  return keyed.map(({ match }) => match);
}
