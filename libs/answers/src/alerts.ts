import type { AlertDimension } from './catalogue.js';
import type { LagSeconds } from './statistics.js';
import type { Count, Integer, NextCursor, Time } from './values.js';

/** @internal */
export interface AlertRuleFields {
  /**
   * Without control characters
   * @maxLength 100
   * @minLength 1
   */
  readonly name: string;
  /**
   * False: it is kept, but not evaluated
   * @default true
   */
  readonly enabled: boolean;
  /**
   * `badCalls`: the share of calls with the verdict `bad` among those with a known verdict. `noAudio`: the share of calls with one-way or silent audio among
   * those that are over and have a known verdict. `mos`: the average of the lowest MOS of each call. `serverErrors`:
   * the share of calls that ended with a 5xx response among those that are over. `answerSeizure`: the share of answered calls among answered and failed ones.
   * `shortCalls`: the share of calls shorter than `shortSeconds` among ended ones. `silentFeed`: the seconds since the last record of each feed that has sent
   * one in the last nine days. `rejectedRecords`: the number of records that collectors rejected in the window. `failingRegistrations`: the number of failed
   * REGISTER in the window that senders have reported. `mos` and `answerSeizure` fire below their limit, the others above it.
   */
  readonly measure:
    | 'badCalls'
    | 'noAudio'
    | 'mos'
    | 'serverErrors'
    | 'answerSeizure'
    | 'shortCalls'
    | 'silentFeed'
    | 'rejectedRecords'
    | 'failingRegistrations';
  /**
   * Which calls are measured: parameters of `GET /api/calls` without `from` and `to`. For the last three measures, only `frontEnd` and `not.frontEnd`
   * @default {}
   * @examples [{"trunk":["carrier1.example.net"],"not.state":"expired"}]
   */
  readonly search: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Each value has an alert of its own, of the 100 with the most calls; null: everything together. `frontEnd` for `silentFeed`, `frontEnd` or null for `failingRegistrations`, also `reason` for `rejectedRecords`. `site` is answered with 400 without `SITES_FILE`
   * @default null
   */
  readonly by: AlertDimension | null;
  /**
   * Calls that began in this time before the evaluation are measured; whole minutes
   * @default 900
   * @asType integer
   * @minimum 60
   * @maximum 86400
   */
  readonly windowSeconds: number;
  /**
   * With fewer calls (records of the feed) nothing is decided; not used for numbers. Default: 10, of `silentFeed` 1
   * @asType integer
   * @minimum 1
   * @maximum 1000000
   */
  readonly minimumCalls: number;
  /**
   * How long the value has to be beyond the limit
   * @default 0
   * @asType integer
   * @minimum 0
   * @maximum 86400
   */
  readonly forSeconds: number;
  /** From 0 to 1 for shares, from 1 to 5 for `mos`, from 300 to 604800 for `silentFeed`, from 0 to 1000000 for numbers; the limit itself is allowed */
  readonly limit: number;
  /** The value at which the alert is resolved, on the allowed side of `limit`; default: `limit` */
  readonly clearLimit: number;
  /**
   * For `shortCalls`
   * @default 10
   * @asType integer
   * @minimum 1
   * @maximum 86400
   */
  readonly shortSeconds: number;
  /**
   * When it does not fire
   * @maxItems 20
   * @default []
   */
  readonly silences: readonly AlertSilence[];
  /** @default warning */
  readonly severity: 'warning' | 'critical';
  /**
   * Names of those that are notified
   * @maxItems 10
   * @default []
   */
  readonly receivers: readonly string[];
}

/** @additionalProperties false */
export interface AlertRuleContent extends Partial<AlertRuleFields> {
  readonly name: AlertRuleFields['name'];
  readonly measure: AlertRuleFields['measure'];
  readonly limit: AlertRuleFields['limit'];
}

/**
 * Either once, with two times; or every week, with `days` and two times of day in UTC, of which the second one may be on the next day
 * @additionalProperties false
 */
export interface AlertSilence {
  /** @examples ["2026-12-24T12:00:00Z","22:00"] */
  readonly from: string;
  /** @examples ["2026-12-27T00:00:00Z","06:00"] */
  readonly to: string;
  /** @minItems 1 */
  readonly days?: readonly ('sunday' | 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday')[];
}

export interface AlertRule extends AlertRuleFields {
  readonly id: string;
  /** Rules from the file `ALERT_RULES` cannot be changed over HTTP */
  readonly source: 'api' | 'file';
  /** For `If-Match` */
  readonly etag: string;
  readonly createdAt: Time;
  readonly changedAt: Time;
}

export interface AlertRuleList {
  readonly items: readonly AlertRule[];
}

/**
 * The value of `by` that the alert is about; empty for everything together
 * @examples [{"site":"Bonn"}]
 */
export type AlertScope = Readonly<Record<string, string>>;

export interface Alert {
  /** @format uuid */
  readonly id: string;
  /** The rule may have been changed or deleted since */
  readonly ruleId: string;
  /** Or marks, for a rule about users */
  readonly ruleName: string;
  readonly severity: 'warning' | 'critical';
  readonly scope: AlertScope;
  /** What fired it */
  readonly value: number | null;
  readonly limit: number | null;
  readonly unit: 'ratio' | 'mos' | 's' | 'count';
  /** How many calls (records of a feed) the value is about */
  readonly calls: Count;
  /** One sentence */
  readonly summary: string;
  readonly condition: AlertCondition;
  /**
   * The calls behind it, with absolute times, in the console
   * @format uri
   */
  readonly link: string;
  readonly startsAt: Time;
  /** Null while it fires */
  readonly endsAt: Time | null;
}

/**
 * What `summary` is worded from, with `value`, `limit`, `scope` and `calls`: for clients with their own words. Of the rule
 * when the alert began; null for alerts of versions before this field
 */
export type AlertCondition = {
  readonly measure: AlertRuleFields['measure'];
  readonly windowSeconds: Integer;
  /** Of `shortCalls` */
  readonly shortSeconds: Integer;
} | null;

export interface AlertWithNotices extends Alert {
  /** What was sent to receivers, the oldest first; for a week */
  readonly notices: readonly AlertNoticeState[];
}

export interface AlertNoticeState {
  /** The same on every repeat */
  readonly id: string;
  readonly receiver: string;
  readonly attempts: Count;
  readonly createdAt: Time;
  /** Null until the receiver has taken it */
  readonly deliveredAt: Time | null;
  /** Whether it is not tried again, after a day */
  readonly givenUp: boolean;
  readonly lastError: string | null;
}

export interface AlertTest {
  readonly items: readonly {
    readonly receiver: string;
    readonly ok: boolean;
    /** Why not */
    readonly reason: string | null;
    /** The same for clients with their own words */
    readonly failure: {
      readonly code:
        | 'unknown-receiver'
        | 'status'
        | 'no-reply'
        | 'unreachable'
        | 'mail-sign-in'
        | 'mail-address'
        | 'mail-message'
        | 'mail-tls'
        | 'mail-protocol'
        | 'mail-refused';
      /** A status, or the code of an error of the network or the mail server */
      readonly detail: string | null;
    } | null;
  }[];
}

export interface AlertReceiverList {
  readonly items: readonly {
    readonly name: string;
    readonly kind: 'webhook' | 'alertmanager' | 'email';
  }[];
}

export interface AlertPage {
  readonly items: readonly Alert[];
  readonly next: NextCursor;
  /** How many alerts fire now, of the rule in `rule` or of all: on all pages together */
  readonly openCount: Count;
}

export interface AlertPreview {
  readonly lagSeconds?: LagSeconds;
  readonly from: Time;
  readonly to: Time;
  /**
   * The time between two evaluations
   * @minimum 60
   */
  readonly stepSeconds: Integer;
  /** @maxItems 200 */
  readonly items: readonly {
    readonly scope: AlertScope;
    /** What fired it */
    readonly value: number | null;
    readonly calls: Count;
    readonly startsAt: Time;
    /** Null when it would not have been resolved */
    readonly endsAt: Time | null;
  }[];
  /** How many older alerts are left out */
  readonly more: Count;
}
