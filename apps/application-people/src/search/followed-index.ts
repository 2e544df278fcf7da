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
  readonly gone: Uint32Array;
}

/**
 * After more changes than these a new main index is built: each search scans the changes, and each change indexes all
 * of them again.
 */
const MAX_CHANGES = 2_000;
const MANY = 1_024;

/**
 * An index that follows the directory: the main index stays as it was built, and a small second index contains the
 * people who have changed since, so that a change is cheap however many people there are.
 */
export class FollowedIndex {
  private constructor(
    private readonly everybody: PeopleIndex,
    /** Positions in the main index, by username. */
    private readonly positions: Shards,
    private readonly recent: Recent | undefined,
  ) {}

  static *of(all: readonly Person[]): Sliced<FollowedIndex> {
    const everybody = yield* PeopleIndex.of(all);
    const positions = new Shards();
    for (const [at, { username }] of everybody.people.entries()) {
      positions.set(username, at);
      if (at % MANY === 0) yield;
    }
    return new FollowedIndex(everybody, positions, undefined);
  }

  /** The index for the current people; an unchanged person is the same object as before. */
  *following(all: readonly Person[]): Sliced<FollowedIndex> {
    const { people } = this.everybody;
    const stays = new Uint8Array(people.length);
    const came: Person[] = [];
    let left = people.length;
    for (const [at, person] of all.entries()) {
      const position = this.positions.get(person.username);
      if (position !== undefined && people[position] === person) {
        stays[position] = 1;
        left--;
      } else if (came.push(person) > MAX_CHANGES) {
        return yield* FollowedIndex.of(all);
      }
      if (at % MANY === 0) yield;
    }
    if (left > MAX_CHANGES) return yield* FollowedIndex.of(all);
    const gone = new Uint32Array(left);
    for (let at = stays.indexOf(0), count = 0; at !== -1; at = stays.indexOf(0, at + 1)) gone[count++] = at;
    const recent = came.length + left === 0 ? undefined : { index: yield* PeopleIndex.of(came), gone };
    return new FollowedIndex(this.everybody, this.positions, recent);
  }

  /** The best `limit` matches. A query without words or digits matches no one. */
  search(query: PeopleQuery, limit: number): SearchResult {
    const { everybody, recent } = this;
    const { best, count } = everybody.search(query, limit, recent?.gone);
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
