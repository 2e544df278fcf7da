import type { SipFailureList, SipFailures } from '@ringdown/answers/statistics';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { isoTime } from '../calls/streams/report-source.js';
import { chosenFrontEnds } from '../search/filter/chosen-front-ends.js';
import type { Database } from '../store/database/database.js';

export interface SipFailureQuestion {
  readonly from: Date;
  readonly to: Date;
  readonly method?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
  readonly peer?: readonly string[] | undefined;
  readonly frontEnd?: readonly string[] | undefined;
  readonly limit: number;
}

interface Row {
  readonly feed: string;
  readonly method: SipFailures['method'];
  readonly status: string;
  readonly peer: string;
  readonly failures: string;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly total: string;
  readonly kinds: string;
}

/** Counts failed SIP requests. */
export class SipFailureQueries {
  constructor(
    private readonly database: Database,
    private readonly hiding: Pick<IdentityHiding, 'field'>,
  ) {}

  async list({ from, to, method, status, peer, frontEnd, limit }: SipFailureQuestion): Promise<SipFailureList> {
    const { rows } = await this.database.readLagging(async (transaction) => {
      const keys = frontEnd && (await chosenFrontEnds(transaction, frontEnd, { from, to }, this.hiding));
      return transaction.query<Row>(
        `select max(feed) as feed, method, status, peer, sum(failures) as failures, min(at) as first_at, max(at) as last_at,
           sum(sum(failures)) over () as total, count(*) over () as kinds
         from sip_failures
         where at >= $1 and at < $2 and ($3::text[] is null or method = any($3)) and ($4::text[] is null or status = any($4))
           and ($5::text[] is null or peer = any($5)) and ($6::text[] is null or feed_key = any($6))
         group by feed_key, method, status, peer
         order by failures desc, feed_key, method, status, peer limit $7`,
        [from, to, method ?? null, status ?? null, peer ?? null, keys ?? null, limit],
      );
    });
    return {
      total: Number(rows[0]?.total ?? 0),
      items: rows.map(({ feed, failures, first_at, last_at, method: of, status: code, peer: address }) => ({
        frontEnd: feed,
        method: of,
        status: code,
        peer: address,
        failures: Number(failures),
        firstAt: isoTime(first_at.getTime()),
        lastAt: isoTime(last_at.getTime()),
      })),
      more: Number(rows[0]?.kinds ?? 0) - rows.length,
    };
  }
}
