import type { AlertNoticeState, Alert } from '@ringdown/answers/alerts';
import type { Database } from '../../store/database/database.js';
import type { Transaction } from '../../store/database/transaction.js';
import type { AlertNotice } from './alert-notice.js';

/** A notice that this replica sends now. */
export interface DueNotice {
  readonly id: string;
  readonly receiver: string;
  readonly body: AlertNotice;
  /** With this one. */
  readonly attempts: number;
}

/** Another replica sends it again when this one has died: longer than any attempt. */
const LEASE_SECONDS = 60;
/** Those of one round. */
const MOST_AT_ONCE = 20;
const KEPT_DAYS = 7;
/** A notice that is a day late is not useful any more. */
export const GIVEN_UP_HOURS = 24;
const LONGEST_WAIT_SECONDS = 300;
/** A reminder of an open alert may overtake the notice of its end: the end is repeated, too. */
const REMINDED_SECONDS = 300;
/** In one request. */
const REMINDED_AT_ONCE = 1_000;

/** The last measurement, if it is not that of the alert. */
type LastMeasurement = Partial<Pick<Alert, 'value' | 'calls' | 'summary'>>;

export function alertNotice(alert: Alert, state: 'firing' | 'resolved', last: LastMeasurement = {}): AlertNotice {
  const { id: alertId, ruleId, ruleName, severity, ...rest } = alert;
  const { scope, limit, unit, link, startsAt, endsAt, value, calls, summary } = { ...rest, ...last };
  const rule = { id: ruleId, name: ruleName, severity };
  const measured = {
    scope,
    value,
    limit,
    unit,
    calls,
    summary,
    link,
    startsAt,
    endsAt,
  };
  return { id: noticeId(alertId, state), alertId, state, rule, ...measured };
}

function noticeId(alertId: string, state: 'firing' | 'resolved'): string {
  return `${alertId}-${state}`;
}

/** In the transaction that changes the alert. */
export async function storeNotices(
  transaction: Transaction,
  notice: AlertNotice,
  receivers: readonly string[],
): Promise<void> {
  if (receivers.length === 0) return;
  await transaction.query(
    `insert into alert_notices (id, receiver, body, created_at)
     select $1, receiver, $2, clock_timestamp() from unnest($3::text[]) as receiver on conflict do nothing`,
    [notice.id, JSON.stringify(notice), receivers],
  );
}

/**
 * To the receivers that have a notice that it fires, also if the rule has others by now: otherwise, the alert would stay
 * open there. In the transaction that resolves the alert.
 */
export async function storeResolved(transaction: Transaction, alert: Alert, last: LastMeasurement = {}): Promise<void> {
  const notice = alertNotice(alert, 'resolved', last);
  await transaction.query(
    `insert into alert_notices (id, receiver, body, created_at)
     select $1, receiver, $2, clock_timestamp() from alert_notices where id = $3 on conflict do nothing`,
    [notice.id, JSON.stringify(notice), noticeId(alert.id, 'firing')],
  );
}

/** Notices on their way. */
export class AlertNotices {
  constructor(private readonly database: Database) {}

  /** Of each of these receivers the first notice that it does not have yet, if it is due; it is leased to this replica. */
  claim(receivers: readonly string[]): Promise<readonly DueNotice[]> {
    return this.database.write(async (transaction) => {
      const { rows } = await transaction.query<DueNotice>(
        `update alert_notices set attempts = attempts + 1, next_attempt_at = now() + interval '${LEASE_SECONDS} seconds'
         where (id, receiver) in (
           select id, receiver from alert_notices as due
           where next_attempt_at <= now() and receiver = any($1) and not exists (
             select from alert_notices as earlier
             where earlier.receiver = due.receiver and earlier.next_attempt_at is not null
               and (earlier.created_at, earlier.id) < (due.created_at, due.id)
           )
           order by next_attempt_at limit ${MOST_AT_ONCE} for update skip locked
         ) returning id, receiver, body, attempts`,
        [receivers],
      );
      return rows;
    });
  }

  delivered({ id, receiver }: DueNotice): Promise<void> {
    return this.database.write(async (transaction) => {
      await transaction.query(
        `update alert_notices set delivered_at = now(), next_attempt_at = null, last_error = null
         where id = $1 and receiver = $2`,
        [id, receiver],
      );
    });
  }

  /** It is tried again after a second, two, four … five minutes. */
  failed({ id, receiver, attempts }: DueNotice, reason: string): Promise<void> {
    const seconds = Math.min(2 ** Math.min(attempts - 1, 20), LONGEST_WAIT_SECONDS);
    return this.database.write(async (transaction) => {
      await transaction.query(
        `update alert_notices set next_attempt_at = now() + $3::integer * interval '1 second', last_error = $4
         where id = $1 and receiver = $2 and delivered_at is null`,
        [id, receiver, seconds, reason],
      );
    });
  }

  /** Returns how many are not tried again from now on. Deletes old ones. */
  giveUp(): Promise<number> {
    return this.database.write(async (transaction) => {
      await transaction.query(
        `delete from alert_notices where next_attempt_at is null and created_at < now() - interval '${KEPT_DAYS} days'
           and not exists (select from alerts where id = body ->> 'alertId' and ends_at is null)`,
      );
      const { rowCount } = await transaction.query(
        `update alert_notices set next_attempt_at = null
         where next_attempt_at <= now() and created_at < now() - interval '${GIVEN_UP_HOURS} hours'`,
      );
      return rowCount ?? 0;
    });
  }

  /** The last notice that a receiver has of each alert that is open, or was until a short time ago; the newest first, by pages. */
  async *current(receiver: string): AsyncGenerator<readonly AlertNotice[]> {
    let last: AlertNotice | undefined;
    do {
      const page = await this.currentAfter(receiver, last);
      if (page.length > 0) yield page;
      last = page.length < REMINDED_AT_ONCE ? undefined : page.at(-1);
    } while (last !== undefined);
  }

  private async currentAfter(receiver: string, last?: AlertNotice): Promise<readonly AlertNotice[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Pick<DueNotice, 'body'>>(
        `select last.body from alerts cross join lateral (
           select body from alert_notices
           where id in (alerts.id || '-firing', alerts.id || '-resolved') and receiver = $1 and delivered_at is not null
           order by created_at desc limit 1
         ) as last
         where (ends_at is null or ends_at > now() - interval '${REMINDED_SECONDS} seconds')
           and ($2::text is null or (starts_at, id) < ($3::timestamptz, $2))
         order by starts_at desc, id desc limit ${REMINDED_AT_ONCE}`,
        [receiver, last?.alertId ?? null, last?.startsAt ?? null],
      ),
    );
    return rows.map(({ body }) => body);
  }

  /** Of one alert, the oldest first. */
  async ofAlert(alertId: string): Promise<readonly AlertNoticeState[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<
        Omit<AlertNoticeState, 'createdAt' | 'deliveredAt'> & Record<'createdAt' | 'deliveredAt', Date | null>
      >(
        `select id, receiver, attempts, created_at as "createdAt", delivered_at as "deliveredAt",
           next_attempt_at is null and delivered_at is null as "givenUp", last_error as "lastError"
         from alert_notices where id = any($1) order by created_at, receiver`,
        [[`${alertId}-firing`, `${alertId}-resolved`]],
      ),
    );
    return rows.map(({ createdAt, deliveredAt, ...row }) => ({
      ...row,
      createdAt: createdAt?.toISOString() ?? '',
      deliveredAt: deliveredAt?.toISOString() ?? null,
    }));
  }
}
