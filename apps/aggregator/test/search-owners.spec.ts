import { PEOPLE_KNOWN_PATTERN } from '@ringdown/contracts/people';
import { Bus } from '@ringdown/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { SearchOwnerCheck } from '../src/http/search-owner-check.js';
import { SavedSearches } from '../src/search/saved/saved-searches.js';
import { SearchOwners } from '../src/search/saved/search-owners.js';
import { Surroundings } from './aggregator-under-test.js';
import { StoreUnderTest } from './store-under-test.js';

const [ANNA, BEN] = ['anna@example.test', 'ben@example.test'];
const CONTENT = { name: 'x', shared: true, revealed: true, parameters: { codec: 'PCMU' } };

function failing(): never {
  throw new Error('the people were not read yet');
}

describe('saved searches of removed people', () => {
  const started = new Started();
  let around: Surroundings;
  let store: StoreUnderTest;
  let searches: SavedSearches;
  let check: SearchOwnerCheck;
  let stopReplies: () => void = () => undefined;

  beforeAll(async () => {
    around = started.add(await Surroundings.start());
    store = started.add(await StoreUnderTest.start());
    searches = new SavedSearches(store.database);
    const logger = quietLogger();
    // With the rights of an aggregator.
    const bus = await Bus.connect({ url: around.nats.urlOf('aggregator'), name: 'owner check', logger });
    started.add({ stop: () => bus.close() });
    const owners = new SearchOwners(store.database);
    check = new SearchOwnerCheck({ owners, bus, reader: { isPrepared: true }, logger });
  });
  beforeEach(async () => {
    await store.database.write((transaction) => transaction.query('delete from saved_searches'));
    for (const owner of [ANNA, ANNA, BEN]) await searches.create(owner, CONTENT);
  });
  afterEach(() => stopReplies());
  afterAll(() => started.stopAll());

  /** Replies as discovery-auth does, or with something else. */
  async function reply(answer: (usernames: readonly string[]) => unknown): Promise<void> {
    stopReplies();
    stopReplies = around.bus.respond(PEOPLE_KNOWN_PATTERN, (request) => answer(Object(request).usernames));
    await around.bus.connection.flush();
  }

  function only(...known: readonly string[]): (usernames: readonly string[]) => unknown {
    return (usernames) => ({ known: usernames.filter((username) => known.includes(username)) });
  }

  async function waitDays(days: number): Promise<void> {
    await store.database.write((transaction) =>
      transaction.query(`update saved_searches set owner_missing_since = owner_missing_since - interval '1 day' * $1`, [
        days,
      ]),
    );
  }

  async function left(): Promise<readonly unknown[]> {
    const rows = await store.rows('select owner from saved_searches order by owner');
    return rows.map((row) => Object(row).owner);
  }

  it('are deleted after seven days', async () => {
    await reply(only(BEN));
    await check.check();
    expect(await left()).toEqual([ANNA, ANNA, BEN]);
    await waitDays(6.9);
    await check.check();
    expect(await left()).toEqual([ANNA, ANNA, BEN]);
    await waitDays(0.2);
    await check.check();
    expect(await left()).toEqual([BEN]);
  });

  it('are kept when the person is back before that', async () => {
    await reply(only(BEN));
    await check.check();
    await waitDays(6);
    await reply(only(ANNA, BEN));
    await check.check();
    await reply(only(BEN));
    await check.check();
    await waitDays(2);
    await check.check();
    expect(await left()).toEqual([ANNA, ANNA, BEN]);
  });

  it.each([
    ['no reply', undefined],
    ['an error', failing],
    ['another form', (): unknown => ({ people: [] })],
    ['other values', (): unknown => ({ known: [7] })],
  ])('are kept after %s', async (_name, answer) => {
    if (answer !== undefined) await reply(answer);
    await expect(check.check()).rejects.toThrow(PEOPLE_KNOWN_PATTERN);
    await waitDays(8);
    await reply(only(ANNA, BEN));
    await check.check();
    expect(await left()).toEqual([ANNA, ANNA, BEN]);
  });

  it('are found among more owners than one request has', async () => {
    await store.database.write((transaction) =>
      transaction.query(
        `insert into saved_searches (owner, name, shared, parameters)
         select 'user' || n || '@example.test', 'x', false, '{}' from generate_series(1, 450) as n`,
      ),
    );
    const asked: number[] = [];
    await reply((usernames) => {
      asked.push(usernames.length);
      return only('user7@example.test')(usernames);
    });
    await check.check();
    expect(asked).toEqual([200, 200, 52]);
    await waitDays(8);
    await check.check();
    expect(await left()).toEqual(['user7@example.test']);
  });
});
