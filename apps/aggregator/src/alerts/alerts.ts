import type { Alert } from '@ringdown/answers/alerts';
import { isoTime } from '../calls/streams/report-source.js';
import type { Database } from '../store/database/database.js';
import type { Transaction } from '../store/database/transaction.js';
import type { AlertMeasure } from './deciding/measures.js';

/** What the rule measured when the alert began to fire: it may have been changed since. */
export interface MeasuredRule {
  readonly measure: AlertMeasure;
  readonly windowSeconds: number;
  readonly shortSeconds: number;
}

/** Where a page of the list ended. */
export interface AlertPosition {
  readonly startsAt: Date;
  readonly id: string;
}

export interface AlertQuestion {
  readonly ruleId?: string | undefined;
  /** Whether it still fires. */
  readonly open?: boolean | undefined;
  readonly limit: number;
  readonly after?: AlertPosition | undefined;
}

type Row = Omit<Alert, 'startsAt' | 'endsAt'> & { readonly startsAt: Date; readonly endsAt: Date | null };

const COLUMNS = `id, rule_id as "ruleId", rule_name as "ruleName", severity, scope, value, limit_value as limit, unit, calls,
  summary, condition, link, starts_at as "startsAt", ends_at as "endsAt"`;

/** The history of alerts. */
export class Alerts {
  constructor(private readonly database: Database) {}

  /** The newest first. */
  async page({ ruleId, open, limit, after }: AlertQuestion): Promise<readonly Alert[]> {
    const isOpen = open === undefined ? '' : `and ends_at is ${open ? '' : 'not '}null`;
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(
        `select ${COLUMNS} from alerts
         where ($1::text is null or rule_id = $1) and ($2::text is null or (starts_at, id) < ($3::timestamptz, $2)) ${isOpen}
         order by starts_at desc, id desc limit $4`,
        [ruleId ?? null, after?.id ?? null, after?.startsAt ?? null, limit],
      ),
    );
    return rows.map(alertFromRow);
  }

  async find(id: string): Promise<Alert | undefined> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(`select ${COLUMNS} from alerts where id = $1`, [id]),
    );
    return rows.map(alertFromRow)[0];
  }

  /** How many fire now, of one rule or of all. */
  async countOpen(ruleId?: string): Promise<number> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ open: number }>(
        'select count(*)::integer as open from alerts where ends_at is null and ($1::text is null or rule_id = $1)',
        [ruleId ?? null],
      ),
    );
    return rows[0]?.open ?? 0;
  }

  /** Returns how many resolved alerts were deleted. */
  deleteOlderThan(days: number): Promise<number> {
    return this.database.write(async (transaction) => {
      const { rowCount } = await transaction.query(
        `delete from alerts where ends_at < now() - $1::integer * interval '1 day'`,
        [days],
      );
      return rowCount ?? 0;
    });
  }
}

export async function storeAlert(transaction: Transaction, alert: Alert): Promise<void> {
  const { id, ruleId, ruleName, severity, scope, value, limit, unit, calls, summary, condition, link, startsAt } =
    alert;
  await transaction.query(
    `insert into alerts (id, rule_id, rule_name, severity, scope, value, limit_value, unit, calls, summary, condition,
       link, starts_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      id,
      ruleId,
      ruleName,
      severity,
      JSON.stringify(scope),
      value,
      limit,
      unit,
      calls,
      summary,
      JSON.stringify(condition),
      link,
      startsAt,
    ],
  );
}

/** Undefined if there is none that fires. */
export async function resolveAlert(transaction: Transaction, id: string, now: number): Promise<Alert | undefined> {
  const { rows } = await transaction.query<Row>(
    `update alerts set ends_at = $2 where id = $1 and ends_at is null returning ${COLUMNS}`,
    [id, new Date(now)],
  );
  return rows.map(alertFromRow)[0];
}

/** Resolves the alerts of a rule that is deleted, or measures something else from now on. */
export async function resolveAllOf(transaction: Transaction, ruleId: string): Promise<readonly Alert[]> {
  const { rows } = await transaction.query<Row>(
    `with states as (delete from alert_states where rule_id = $1)
     update alerts set ends_at = date_trunc('milliseconds', clock_timestamp())
     where rule_id = $1 and ends_at is null returning ${COLUMNS}`,
    [ruleId],
  );
  return rows.map(alertFromRow);
}

function alertFromRow({ startsAt, endsAt, ...alert }: Row): Alert {
  return {
    ...alert,
    startsAt: isoTime(startsAt.getTime()),
    endsAt: endsAt === null ? null : isoTime(endsAt.getTime()),
  };
}
