import { isoTime } from '../calls/streams/report-source.js';
import { chosenFrontEnds } from '../search/filter/chosen-front-ends.js';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { SipFailures } from '@ringdown/answers/statistics';
import type { Database } from '../store/database/database.js';
import type { Transaction } from '../store/database/transaction.js';
import { newestEnd, type PeerEnd } from './newest-end.js';

const SLOT_MS = 300_000;
const SLOTS = 12;
/** Reports come every 10 seconds, up to minutes apart. */
const NOW_SLOTS = 3;
const FEWEST_FAILED = 3;
const FEWEST_QUIET = 3;
/** Each needs a question of its own about its newest call. */
const MOST_DESCRIBED = 20;

/** `flapping`: it failed, was quiet, and failed again. `over`: it has stopped. */
export type PeerState = 'failing' | 'flapping' | 'over';

export interface FailingPeer extends PeerEnd {
  readonly peer: string;
  readonly state: PeerState;
  readonly methods: readonly SipFailures['method'][];
  readonly statuses: readonly string[];
  readonly frontEnds: readonly string[];
  readonly failures: number;
  /** Of five minutes each, the earliest first. */
  readonly slots: readonly number[];
}

export interface FailingPeers {
  readonly from: string;
  readonly to: string;
  readonly items: readonly FailingPeer[];
  readonly more: number;
}

interface Row {
  readonly peer: string;
  readonly methods: readonly SipFailures['method'][];
  readonly statuses: readonly string[];
  readonly feeds: readonly string[];
  readonly slots: readonly (readonly [slot: number, failures: number])[];
  readonly failures: string;
  readonly peers: string;
}

const KNOWN_NOTHING: PeerEnd = { trunk: null, userAgent: null };

/** Peers whose requests outside of calls have failed in the last hour: the worst first. */
export class FailingPeerQueries {
  constructor(
    private readonly database: Database,
    private readonly hiding: Pick<IdentityHiding, 'field'>,
  ) {}

  list(now: number, limit: number, frontEnd?: readonly string[]): Promise<FailingPeers> {
    const [from, to] = [new Date(now - SLOTS * SLOT_MS), new Date(now)];
    return this.database.readLagging(async (transaction) => {
      const keys = frontEnd && (await chosenFrontEnds(transaction, frontEnd, { from, to }, this.hiding));
      const rows = await failingRows(transaction, from, to, keys, limit);
      const items: FailingPeer[] = [];
      for (const [index, row] of rows.entries()) {
        const end = index < MOST_DESCRIBED ? await newestEnd(transaction, row.peer, to) : undefined;
        items.push({ ...failingPeer(row), ...(end ?? KNOWN_NOTHING) });
      }
      return {
        from: isoTime(from.getTime()),
        to: isoTime(now),
        items,
        more: Number(rows[0]?.peers ?? 0) - rows.length,
      };
    });
  }
}

/** The peers with the most failures first; those beyond the limits of senders have no name. */
async function failingRows(
  transaction: Transaction,
  from: Date,
  to: Date,
  keys: readonly string[] | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const { rows } = await transaction.query<Row>(
    `with recent as (
       select *, floor(extract(epoch from at - $1) * 1000 / ${SLOT_MS})::integer as slot from sip_failures
       where at >= $1 and at < $2 and peer <> 'other' and ($3::text[] is null or feed_key = any($3))
     ), by_slot as (
       select peer, jsonb_agg(jsonb_build_array(slot, failures)) as slots from (
         select peer, slot, sum(failures) as failures from recent group by peer, slot
       ) as counted group by peer
     )
     select peer, slots, array_agg(distinct method) as methods, array_agg(distinct status) as statuses,
       array_agg(distinct feed) as feeds, sum(failures) as failures, count(*) over () as peers
     from recent join by_slot using (peer) group by peer, slots order by failures desc, peer limit $4`,
    [from, to, keys ?? null, limit],
  );
  return rows;
}

function failingPeer({ peer, methods, statuses, feeds, slots, failures }: Row): Omit<FailingPeer, keyof PeerEnd> {
  const counts = new Map(slots);
  const all = Array.from({ length: SLOTS }, (_, slot) => counts.get(slot) ?? 0);
  return { peer, state: peerState(all), methods, statuses, frontEnds: feeds, failures: Number(failures), slots: all };
}

/** By its failures in each slot, the earliest first. */
export function peerState(slots: readonly number[]): PeerState {
  const failed = slots.filter((failures) => failures > 0).length;
  const first = slots.findIndex((failures) => failures > 0);
  const last = slots.findLastIndex((failures) => failures > 0);
  const quietBetween = last - first + 1 - failed;
  if (failed >= FEWEST_FAILED && quietBetween >= FEWEST_QUIET) return 'flapping';
  return last >= slots.length - NOW_SLOTS ? 'failing' : 'over';
}
