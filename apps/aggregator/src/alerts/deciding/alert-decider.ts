import { errorReason } from '@ringdown/errors';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { OutageLog, type Logger } from '@ringdown/observability';
import { randomUUID } from 'node:crypto';
import type { SiteTable } from '../../search/sites/site-table.js';
import { isoTime } from '../../calls/streams/report-source.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import { timeIn } from '../../store/database/clock.js';
import type { Database } from '../../store/database/database.js';
import type { Transaction } from '../../store/database/transaction.js';
import { alertNotice, storeNotices, storeResolved } from '../delivery/alert-notices.js';
import type { AlertLinks } from '../delivery/alert-links.js';
import { ruleCondition, type RuleFilter } from '../rules/alert-rule.js';
import { haveRecordsArrived } from './feed-silence.js';
import type { AlertRuleViews } from '../rules/alert-rule-views.js';
import type { AlertRules, StoredRule } from '../rules/alert-rules.js';
import { hiddenScope, scopeOf, alertScopeValue, type AlertScope } from '../rules/alert-scope.js';
import { deleteState, statesOf, storeState, type AlertState } from './alert-states.js';
import { alertSummary } from '../delivery/alert-summary.js';
import type { Alert } from '@ringdown/answers/alerts';
import { resolveAlert, storeAlert } from '../alerts.js';
import type { AlertMetrics } from './alert-metrics.js';
import { measureNow } from './measure-now.js';
import { ALERT_MEASURES, isCount, isOfFeeds } from './measures.js';
import { nextState, type Measurement } from './next-state.js';
import { isSilenced } from '../rules/silences.js';

export interface AlertDeciderOptions {
  /** Of its own: measuring must not delay records. */
  readonly database: Database;
  readonly rules: AlertRules;
  readonly ruleFilter: RuleFilter;
  readonly sites: Pick<SiteTable, 'subnets'>;
  readonly hiding: IdentityHiding;
  readonly views: AlertRuleViews;
  readonly links: AlertLinks;
  readonly metrics: AlertMetrics;
  readonly logger: Logger;
}

/** The first of two numbers of an advisory lock: the second one is of the rule. */
const DECIDER_LOCK = 716_250_032;
const MEASURE_TIMEOUT_MS = 10_000;
const NOTHING: Measurement = { value: null, calls: 0 };
const NO_PROBLEMS: Measurement = { value: 0, calls: 0 };
const CLEAR = { phase: 'clear' } as const;

/** One scope of a rule at one moment. */
interface Decision {
  readonly rule: StoredRule;
  readonly scope: AlertScope;
  readonly measured: Measurement;
  /** Milliseconds since 1970, by the clock of the database. */
  readonly now: number;
  /**
   * Whether records have arrived in the window: after an outage, there are no calls until the backlog is read. A feed is
   * measured without them as long as it is known.
   */
  readonly isFed: boolean;
}

/**
 * Evaluates rules. Every replica does, and each rule is decided in one transaction that holds the lock of the rule: its
 * states, alerts and notices change together or not at all, and the next replica continues from there.
 */
export class AlertDecider {
  private readonly outage: OutageLog;

  constructor(private readonly options: AlertDeciderOptions) {
    this.outage = new OutageLog({
      logger: options.logger,
      failure: 'an alert rule could not be evaluated; trying again',
      recovery: 'the alert rule is evaluated again',
    });
  }

  /** One evaluation of each rule; a failing one does not stop the others. */
  async decideAll(): Promise<void> {
    const { rules, metrics } = this.options;
    for (const rule of await rules.all()) {
      if (!rule.enabled) continue;
      try {
        metrics.evaluated((await this.decide(rule)) ? 'decided' : 'elsewhere');
        this.outage.succeeded(rule.id);
      } catch (error) {
        metrics.evaluated('failed');
        this.outage.failed(rule.id, errorReason(error));
      }
    }
  }

  /** False when another replica does, or when the rule has changed meanwhile. */
  private decide(rule: StoredRule): Promise<boolean> {
    return this.options.database.write(async (transaction) => {
      const { rows } = await transaction.query<{ locked: boolean }>(
        'select pg_try_advisory_xact_lock($1, hashtext($2)) as locked',
        [DECIDER_LOCK, rule.id],
      );
      if (rows[0]?.locked !== true) return false;
      await transaction.query(`set local statement_timeout = ${MEASURE_TIMEOUT_MS}`);
      const now = Math.floor(await timeIn(transaction));
      const states = await statesOf(transaction, rule.id);
      const decisions = await this.measure(transaction, rule, states, now);
      const isFed =
        rule.measure === 'silentFeed' || (await haveRecordsArrived(transaction, now - rule.windowSeconds * 1_000));
      // From here on, a change of the rule waits for this transaction.
      if (!(await this.options.rules.isUnchanged(transaction, rule))) return false;
      for (const { scope, measured } of decisions)
        await this.apply(transaction, { rule, scope, measured, now, isFed }, states.get(JSON.stringify(scope)));
      return true;
    });
  }

  /** The scopes that have calls or a state. */
  private async measure(
    transaction: Transaction,
    rule: StoredRule,
    states: ReadonlyMap<string, AlertState>,
    now: number,
  ): Promise<readonly Pick<Decision, 'scope' | 'measured'>[]> {
    const { sites, hiding } = this.options;
    // A state keeps its scope, also one with a name of an earlier release.
    const scopes = new Map([...states.values()].map(({ scope }) => [alertScopeValue(scope), scope]));
    const known = [...scopes.keys()];
    const also = known.filter((value) => value !== null);
    const measured = await measureNow(transaction, rule, {
      filter: this.filterOf(rule),
      sites: sites.subnets,
      hiding,
      now,
      also,
    });
    const values = new Set([...measured.keys(), ...known, ...(rule.by === null ? [null] : [])]);
    // Calls without a site are not those of a site.
    if (rule.by !== null) values.delete(null);
    return [...values].map((value) => ({
      scope: scopes.get(value) ?? scopeOf(rule.by, value),
      measured: measured.get(value) ?? (isCount(rule.measure) ? NO_PROBLEMS : NOTHING),
    }));
  }

  private filterOf({ measure, search, revealed }: StoredRule): CallFilter {
    return isOfFeeds(measure) ? {} : this.options.ruleFilter(search, revealed);
  }

  private async apply(transaction: Transaction, decision: Decision, state: AlertState | undefined): Promise<void> {
    const { rule, scope, measured, now, isFed } = decision;
    const moment = { now, silenced: isSilenced(rule.silences, now), isFed };
    const { next, change } = nextState(ruleCondition(rule), measured, state?.phase ?? CLEAR, moment);
    if (next.phase === 'clear') {
      if (state === undefined) return;
      await deleteState(transaction, rule.id, scope);
      if (state.alertId !== null) await this.resolve(transaction, decision, state.alertId);
      return;
    }
    if (state?.phase.phase === next.phase) return;
    const alertId = change === 'firing' ? randomUUID() : null;
    await storeState(transaction, rule.id, {
      scope,
      phase: { phase: next.phase, since: next.since },
      alertId,
    });
    if (alertId === null) return;
    const alert = this.alertOf(alertId, decision);
    await storeAlert(transaction, alert);
    await storeNotices(transaction, alertNotice(alert, 'firing'), rule.receivers);
  }

  private async resolve(transaction: Transaction, decision: Decision, alertId: string): Promise<void> {
    const { rule, measured, now } = decision;
    const alert = await resolveAlert(transaction, alertId, now);
    if (alert === undefined) return;
    const last = {
      ...measured,
      summary: alertSummary(rule, alert.scope, measured),
    };
    await storeResolved(transaction, alert, last);
  }

  private alertOf(id: string, { rule, scope, measured, now }: Decision): Alert {
    const { hiding, views, links } = this.options;
    const shown = hiddenScope(hiding, scope);
    return {
      id,
      ruleId: rule.id,
      ruleName: views.hidden(rule).name,
      severity: rule.severity,
      scope: shown,
      value: measured.value,
      limit: rule.limit,
      unit: ALERT_MEASURES[rule.measure].unit,
      calls: measured.calls,
      summary: alertSummary(rule, shown, measured),
      condition: { measure: rule.measure, windowSeconds: rule.windowSeconds, shortSeconds: rule.shortSeconds },
      link: links.of(rule, scope, now),
      startsAt: isoTime(now),
      endsAt: null,
    };
  }
}
