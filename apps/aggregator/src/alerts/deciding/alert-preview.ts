import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { SiteTable } from '../../search/sites/site-table.js';
import type { Buckets } from '../../store/statistics/buckets.js';
import type { Database } from '../../store/database/database.js';
import { callValues, type CallValue } from './call-values.js';
import { feedActivities, chosenFeeds } from './feed-silence.js';
import type { AlertRuleContent, RuleFilter } from '../rules/alert-rule.js';
import { isCount, type CallMeasure, type CountMeasure } from './measures.js';
import { problemValues } from './problem-values.js';
import {
  pastAlerts,
  silenceAt,
  sumInWindow,
  slidingWindow,
  windowStepSeconds,
  type PastAlert,
  type Steps,
} from '../past-alerts.js';

/** What a rule would have raised. */
export interface AlertPreview {
  readonly stepSeconds: number;
  /** The newest first. */
  readonly alerts: readonly PastAlert[];
}

/** Scopes with calls in many buckets. */
const MOST_ROWS = 300_000;
/** The step for feeds: their gaps are known to five minutes. */
const SLOT_SECONDS = 300;

/** Applies a rule to calls and feeds of the past. */
export class AlertPreviews {
  constructor(
    private readonly database: Database,
    private readonly ruleFilter: RuleFilter,
    private readonly sites: Pick<SiteTable, 'subnets'>,
    private readonly hiding: Pick<IdentityHiding, 'field'>,
  ) {}

  /** Undefined when there are too many values for the time. */
  async of(rule: AlertRuleContent, from: Date, to: Date, revealed: boolean): Promise<AlertPreview | undefined> {
    const { measure } = rule;
    const stepSeconds = measure === 'silentFeed' ? SLOT_SECONDS : windowStepSeconds(rule.windowSeconds);
    const steps: Steps = { from: from.getTime(), to: to.getTime(), stepMs: stepSeconds * 1_000 };
    const alerts =
      measure === 'silentFeed'
        ? await this.ofFeeds(rule, steps)
        : await this.ofCalls({ ...rule, measure }, steps, revealed);
    return alerts && { stepSeconds, alerts: alerts.toSorted((one, other) => other.startsAt - one.startsAt) };
  }

  private async ofCalls(
    rule: AlertRuleContent & { readonly measure: CallMeasure | CountMeasure },
    steps: Steps,
    revealed: boolean,
  ): Promise<readonly PastAlert[] | undefined> {
    const { windowSeconds, by } = rule;
    const buckets = {
      from: new Date(steps.from - windowSeconds * 1_000),
      to: new Date(steps.to),
      seconds: steps.stepMs / 1_000,
    };
    const values = await this.valuesOf(rule, buckets, revealed);
    if (values.length > MOST_ROWS) return undefined;
    const byValue = Map.groupBy(values, ({ value }: CallValue) => value);
    return [...byValue].flatMap(([value, ofScope]) =>
      value === null && by !== null
        ? []
        : pastAlerts(rule, value, steps, this.measured(rule.measure)(ofScope, steps, windowSeconds * 1_000)),
    );
  }

  private measured(measure: CallMeasure | CountMeasure): typeof slidingWindow {
    return isCount(measure) ? sumInWindow : slidingWindow;
  }

  private valuesOf(
    rule: AlertRuleContent & { readonly measure: CallMeasure | CountMeasure },
    buckets: Buckets,
    revealed: boolean,
  ): Promise<readonly CallValue[]> {
    const { measure, shortSeconds, by, search } = rule;
    const common = { buckets, also: [], mostRows: MOST_ROWS + 1 };
    if (isCount(measure)) {
      return this.database.readLagging(async (transaction) => {
        const choice = await chosenFeeds(transaction, search, buckets, this.hiding);
        return problemValues(transaction, { ...common, measure, choice, by });
      });
    }
    const filter = this.ruleFilter(search, revealed);
    const question = { ...common, measure, shortSeconds, filter, by, sites: this.sites.subnets };
    return this.database.readLagging((transaction) => callValues(transaction, question));
  }

  private async ofFeeds(rule: AlertRuleContent, steps: Steps): Promise<readonly PastAlert[] | undefined> {
    const period = { from: new Date(steps.from), to: new Date(steps.to) };
    const activities = await this.database.readLagging(async (transaction) => {
      const choice = await chosenFeeds(transaction, rule.search, period, this.hiding);
      return feedActivities(transaction, choice, period);
    });
    if (activities === undefined) return undefined;
    const byName = Map.groupBy(activities, ({ name }) => name);
    return [...byName].flatMap(([name, ofFeed]) => pastAlerts(rule, name, steps, silenceAt(ofFeed)));
  }
}
