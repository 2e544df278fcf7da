/**
 * What a receiver of alerts gets: once when an alert begins to fire, and once when it is resolved; and when an operator
 * tests a rule. The row of
 * `alert_notices` for each receiver has it as its body. It never contains identities of users.
 */
export interface AlertNotice {
  /** Equal on every repeat of this notice: a receiver knows a repeat by it. */
  readonly id: string;
  /** One for firing and resolved of the same alert. */
  readonly alertId: string;
  readonly state: 'firing' | 'resolved' | 'test';
  readonly rule: {
    readonly id: string;
    readonly name: string;
    readonly severity: AlertSeverity;
  };
  /** For example `{ site: 'Bonn' }`; empty for everything together. */
  readonly scope: Readonly<Record<string, string>>;
  /** The last value that was measured; null when there were too few calls for one. */
  readonly value: number | null;
  readonly limit: number | null;
  readonly unit: string;
  /** How many calls (records, feeds …) the value is about. */
  readonly calls: number;
  /** One sentence for a person. */
  readonly summary: string;
  /** The search behind it, with absolute times. */
  readonly link: string;
  /** RFC 3339. */
  readonly startsAt: string;
  /** RFC 3339; null while it fires. */
  readonly endsAt: string | null;
}

export type AlertSeverity = 'warning' | 'critical';
