import type { IdentityHiding } from '@ringdown/identity-hiding';
import { presentName } from '@ringdown/call-catalogue/fields';
import { ALERT_DIMENSIONS, type AlertDimension } from '@ringdown/call-catalogue/filters';

/** The value that an alert is about, by the name of its dimension; empty for everything together. */
export type AlertScope = Readonly<Record<string, string>>;

export function scopeOf(by: AlertDimension | null, value: string | null): AlertScope {
  return by === null || value === null ? {} : { [by]: value };
}

/** The dimension of a stored rule, which may have its name of an earlier release. */
export function presentDimension(
  by: AlertDimension | null,
  before?: ReadonlyMap<string, string>,
): AlertDimension | null {
  const name = by === null ? null : presentName(by, before);
  return ALERT_DIMENSIONS.find((each) => each === name) ?? by;
}

/** The inverse: null for everything together. */
export function alertScopeValue(scope: AlertScope): string | null {
  return Object.values(scope)[0] ?? null;
}

const OWN: readonly string[] = ['site', 'subnet', 'reason'];

/** As operators without the role `reveal` see it. Sites, subnets and reasons are our own; senders choose the other texts. */
export function hiddenScope(
  hiding: Pick<IdentityHiding, 'field'>,
  scope: AlertScope,
  before?: ReadonlyMap<string, string>,
): AlertScope {
  return Object.fromEntries(
    Object.entries(scope).map(([by, value]) => {
      const name = presentName(by, before);
      return [by, OWN.includes(name) ? value : hiding.field(value, name)] as const;
    }),
  );
}
