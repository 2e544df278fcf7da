import { MOST_RULES } from '../../settings/alert-settings.js';
import type { Database } from '../../store/database/database.js';
import type { Transaction } from '../../store/database/transaction.js';
import type { AlertRule, AlertRuleContent } from './alert-rule.js';
import { presentDimension } from './alert-scope.js';
import { storeResolved } from '../delivery/alert-notices.js';
import { resolveAllOf } from '../alerts.js';
import type { FileRule } from './rules-file.js';

/** Of an advisory lock that those who create rules take. */
const RULES_LOCK = 716_250_031;
const COLUMNS = 'id, rule, revision, created_at as "createdAt", updated_at as "changedAt"';

/** A rule, and whether it may search texts that operators without the role `reveal` do not see. */
export interface StoredRule extends AlertRule {
  readonly revealed: boolean;
}

/** What is stored of a rule. */
export type RuleToStore = AlertRuleContent & Pick<StoredRule, 'revealed'>;

interface Row extends Pick<StoredRule, 'id' | 'revision' | 'createdAt' | 'changedAt'> {
  readonly rule: RuleToStore;
}

/** The rules that operators have written, and those of the file. */
export class AlertRules {
  constructor(private readonly database: Database) {}

  /** The oldest first. */
  async all(): Promise<readonly StoredRule[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(`select ${COLUMNS} from alert_rules order by created_at, id`),
    );
    return rows.map(ruleFromRow);
  }

  async find(id: string): Promise<StoredRule | undefined> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(`select ${COLUMNS} from alert_rules where id = $1`, [id]),
    );
    return rows.map(ruleFromRow)[0];
  }

  /** Undefined when there are {@link MOST_RULES} already. */
  create(rule: RuleToStore): Promise<StoredRule | undefined> {
    return this.database.write(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [RULES_LOCK]);
      const { rows } = await transaction.query<Row>(
        `insert into alert_rules (id, rule)
         select gen_random_uuid()::text, $1 where (select count(*) from alert_rules) < ${MOST_RULES}
         returning ${COLUMNS}`,
        [JSON.stringify(rule)],
      );
      return rows.map(ruleFromRow)[0];
    });
  }

  /** Whether it is still the present one; it stays that until the transaction ends. */
  async isUnchanged(transaction: Transaction, { id, revision }: StoredRule): Promise<boolean> {
    const { rowCount } = await transaction.query(
      'select 1 from alert_rules where id = $1 and revision = $2 for share',
      [id, revision],
    );
    return rowCount === 1;
  }

  /**
   * Undefined when the rule has changed since `revision`, or was deleted. Its alerts are resolved if it measures something
   * else from now on.
   */
  change(before: StoredRule, rule: RuleToStore): Promise<StoredRule | undefined> {
    const { id, revision } = before;
    return this.database.write(async (transaction) => {
      const { rows } = await transaction.query<Row>(
        `update alert_rules set rule = $3, revision = revision + 1, updated_at = now()
         where id = $1 and revision = $2 returning ${COLUMNS}`,
        [id, revision, JSON.stringify(rule)],
      );
      if (rows.length > 0 && !measuresTheSame(before, rule)) await resolve(transaction, before);
      return rows.map(ruleFromRow)[0];
    });
  }

  /** Stores the rules of the file and deletes those that it has no longer. */
  replaceFileRules(rules: readonly FileRule[]): Promise<void> {
    return this.database.write(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [RULES_LOCK]);
      const { rows } = await transaction.query<Row>(
        `select ${COLUMNS} from alert_rules where id like 'file:%' for update`,
      );
      const stored = new Map(rows.map((row) => [row.id, ruleFromRow(row)]));
      for (const { id, rule } of rules) {
        const after: RuleToStore = { ...rule, revealed: true };
        const before = stored.get(id);
        stored.delete(id);
        await transaction.query(
          `insert into alert_rules (id, rule) values ($1, $2)
           on conflict (id) do update set rule = excluded.rule, revision = alert_rules.revision + 1, updated_at = now()
           where alert_rules.rule is distinct from excluded.rule`,
          [id, JSON.stringify(after)],
        );
        if (before !== undefined && !measuresTheSame(before, after)) await resolve(transaction, before);
      }
      for (const gone of stored.values()) {
        await transaction.query('delete from alert_rules where id = $1', [gone.id]);
        await resolve(transaction, gone);
      }
    });
  }

  /** Whether it was deleted, and its alerts resolved: not if it has changed since `revision`. */
  delete(rule: StoredRule): Promise<boolean> {
    const { id, revision } = rule;
    return this.database.write(async (transaction) => {
      const { rowCount } = await transaction.query('delete from alert_rules where id = $1 and revision = $2', [
        id,
        revision,
      ]);
      if (rowCount === 1) await resolve(transaction, rule);
      return rowCount === 1;
    });
  }
}

async function resolve(transaction: Transaction, { id }: StoredRule): Promise<void> {
  for (const alert of await resolveAllOf(transaction, id)) await storeResolved(transaction, alert);
}

function measuresTheSame(before: RuleToStore, after: RuleToStore): boolean {
  const measured = ({ measure, search, by, shortSeconds }: RuleToStore): string =>
    JSON.stringify([measure, search, by, shortSeconds]);
  return after.enabled && measured(before) === measured(after);
}

function ruleFromRow({ rule, ...row }: Row): StoredRule {
  return { ...rule, by: presentDimension(rule.by), ...row };
}
