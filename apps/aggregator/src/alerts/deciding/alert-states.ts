import type { Transaction } from '../../store/database/transaction.js';
import type { AlertScope } from '../rules/alert-scope.js';
import type { AlertPhase } from './next-state.js';

/** A scope of a rule whose condition holds or that has an open alert. */
export interface AlertState {
  readonly scope: AlertScope;
  readonly phase: AlertPhase & { readonly phase: 'pending' | 'firing' };
  /** Null while pending. */
  readonly alertId: string | null;
}

interface Row {
  readonly scope: AlertScope;
  readonly since: Date;
  readonly alertId: string | null;
}

/** JSON with sorted keys: a scope has one key at most. */
export function scopeKey(scope: AlertScope): string {
  return JSON.stringify(scope);
}

/** By {@link scopeKey}. */
export async function statesOf(transaction: Transaction, ruleId: string): Promise<ReadonlyMap<string, AlertState>> {
  const { rows } = await transaction.query<Row>(
    `select scope, since, alert_id as "alertId" from alert_states where rule_id = $1`,
    [ruleId],
  );
  return new Map(
    rows.map(({ scope, since, alertId }) => {
      const phase = { phase: alertId === null ? ('pending' as const) : ('firing' as const), since: since.getTime() };
      return [scopeKey(scope), { scope, phase, alertId }];
    }),
  );
}

export async function storeState(
  transaction: Transaction,
  ruleId: string,
  { scope, phase, alertId }: AlertState,
): Promise<void> {
  await transaction.query(
    `insert into alert_states (rule_id, scope_key, scope, since, alert_id) values ($1, $2, $3, $4, $5)
     on conflict (rule_id, scope_key) do update set since = excluded.since, alert_id = excluded.alert_id`,
    [ruleId, scopeKey(scope), JSON.stringify(scope), new Date(phase.since), alertId],
  );
}

export async function deleteState(transaction: Transaction, ruleId: string, scope: AlertScope): Promise<void> {
  await transaction.query('delete from alert_states where rule_id = $1 and scope_key = $2', [ruleId, scopeKey(scope)]);
}
