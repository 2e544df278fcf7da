import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { AlertDimension } from '@ringdown/call-catalogue/filters';

/** The value that an alert is about, by the name of its dimension; empty for everything together. */
export type AlertScope = Readonly<Record<string, string>>;

export function scopeOf(by: AlertDimension | null, value: string | null): AlertScope {
  return by === null || value === null ? {} : { [by]: value };
}

/** The inverse: null for everything together. */
export function alertScopeValue(scope: AlertScope): string | null {
  return Object.values(scope)[0] ?? null;
}

const OWN: readonly string[] = ['site', 'subnet', 'reason'];

/** As operators without the role `reveal` see it. Sites, subnets and reasons are our own; senders choose the other texts. */
export function hiddenScope(hiding: Pick<IdentityHiding, 'field'>, scope: AlertScope): AlertScope {
  return Object.fromEntries(
    Object.entries(scope).map(([by, value]) => {
      return [by, OWN.includes(by) ? value : hiding.field(value, by)] as const;
    }),
  );
}
