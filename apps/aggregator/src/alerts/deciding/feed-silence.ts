import { UPLOAD_FEEDS_LIKE } from '@ringdown/contracts/uploads';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { chosenFrontEnds, type Period } from '../../search/filter/chosen-front-ends.js';
import type { SearchParameters } from '../../search/saved/saved-searches.js';
import { FEED_KNOWN_DAYS } from '../../store/feed/front-end-activity.js';
import type { Transaction } from '../../store/database/transaction.js';

/** As many as collectors may admit. */
const MOST_FEEDS = 10_000;
/** Rows for a week of these feeds would not fit into memory. */
const MOST_SLOTS = 200_000;

/** A time of up to five minutes in which a feed sent records; milliseconds since 1970. */
export interface FeedActivity {
  readonly name: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly records: number;
}

/** Which feeds a rule is about: `frontEnd` and `not.frontEnd` of its search. */
export interface FeedChoice {
  readonly only: readonly string[] | null;
  readonly without: readonly string[];
}

export async function chosenFeeds(
  transaction: Transaction,
  search: SearchParameters,
  period: Period,
  hiding: Pick<IdentityHiding, 'field'>,
): Promise<FeedChoice> {
  const keysOf = (name: string): Promise<readonly string[]> =>
    chosenFrontEnds(transaction, [search[name] ?? []].flat(), period, hiding);
  const only = search['frontEnd'] === undefined ? null : await keysOf('frontEnd');
  return { only, without: await keysOf('not.frontEnd') };
}

/**
 * The whole activity of each feed that has sent a record in the last nine days. `also`: names of feeds that are measured
 * too, unless nothing is known of them any more.
 */
export async function feedsNow(
  transaction: Transaction,
  { only, without }: FeedChoice,
  { now, also }: { readonly now: number; readonly also: readonly string[] },
): Promise<readonly FeedActivity[]> {
  const { rows } = await transaction.query<FeedActivity>(
    `select name_key as name, (extract(epoch from min(first_seen)) * 1000)::float8 as "firstAt",
       (extract(epoch from max(last_seen)) * 1000)::float8 as "lastAt", sum(records)::float8 as records
     from front_ends where ($1::text[] is null or name_key = any($1)) and name_key <> all($2)
       and name_key not like '${UPLOAD_FEEDS_LIKE}'
     group by name_key having max(last_seen) > $3 or name_key = any($4)
     order by name_key = any($4) desc, max(last_seen), name_key limit ${MOST_FEEDS}`,
    [only, without, new Date(now - FEED_KNOWN_DAYS * 86_400_000), also],
  );
  return rows;
}

/** Whether any feed has sent a record since then (milliseconds since 1970) that is stored. */
export async function haveRecordsArrived(transaction: Transaction, since: number): Promise<boolean> {
  const { rows } = await transaction.query<{ arrived: boolean }>(
    `select exists(select from front_ends where last_seen >= $1 and name_key not like '${UPLOAD_FEEDS_LIKE}') as arrived`,
    [new Date(since)],
  );
  return rows[0]?.arrived === true;
}

/** By feed, then by time. Undefined when there is more than can be looked at. */
export async function feedActivities(
  transaction: Transaction,
  { only, without }: FeedChoice,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly FeedActivity[] | undefined> {
  const { rows } = await transaction.query<FeedActivity>(
    `select name_key as name, (extract(epoch from min(first_at)) * 1000)::float8 as "firstAt",
       (extract(epoch from max(last_at)) * 1000)::float8 as "lastAt", sum(records)::float8 as records
     from front_end_activity
     where slot >= $3 and slot < $4 and first_at is not null and ($1::text[] is null or name_key = any($1))
       and name_key <> all($2) and name_key not like '${UPLOAD_FEEDS_LIKE}'
     group by name_key, slot order by name_key, slot limit ${MOST_SLOTS + 1}`,
    [only, without, from, to],
  );
  return rows.length > MOST_SLOTS ? undefined : rows;
}
