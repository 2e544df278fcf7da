import type { SearchParameters } from '../../search/saved/saved-searches.js';
import type { AlertSeverity } from '../delivery/alert-notice.js';
import type { AlertDimension } from '@ringdown/call-catalogue/filters';
import { ALERT_MEASURES, isCount, type AlertMeasure } from '../deciding/measures.js';
import type { AlertCondition } from '../deciding/next-state.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import type { Silence } from './silences.js';

/** What operators are told about, and when. */
export interface AlertRuleContent {
  readonly name: string;
  /** False: it is kept, but not evaluated. */
  readonly enabled: boolean;
  readonly measure: AlertMeasure;
  /** Which calls are measured: parameters of `GET /api/calls` without times. For measures of feeds: which feeds. */
  readonly search: SearchParameters;
  /** Each value of it has an alert of its own; null: everything together. */
  readonly by: AlertDimension | null;
  /** Calls that began in this time before the evaluation are measured. `silentFeed` does not use it. */
  readonly windowSeconds: number;
  readonly minimumCalls: number;
  readonly forSeconds: number;
  readonly limit: number;
  readonly clearLimit: number;
  /** For `shortCalls`: calls that were shorter than this. */
  readonly shortSeconds: number;
  readonly silences: readonly Silence[];
  readonly severity: AlertSeverity;
  /** Names of those that are notified. */
  readonly receivers: readonly string[];
}

export interface AlertRule extends AlertRuleContent {
  readonly id: string;
  /** Counts its changes, from 1. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

/**
 * Which calls a rule is about, by its search: without those of uploads unless it asks for them. `revealed`: whether its author saw users.
 */
export type RuleFilter = (search: SearchParameters, revealed: boolean) => CallFilter;

export function ruleCondition({ measure, ...rule }: AlertRuleContent): AlertCondition {
  const { limit, clearLimit, minimumCalls, forSeconds } = rule;
  return {
    comparison: ALERT_MEASURES[measure].comparison,
    limit,
    clearLimit,
    // A small number of problems is known as well as a large one.
    minimumCalls: isCount(measure) ? 0 : minimumCalls,
    forSeconds,
  };
}
