import type { FilteredParty } from './subscription-filter.js';

/** The fields of a query API call that are read here; the whole call is forwarded. */
export interface ChangedCall {
  readonly callId: string;
  readonly version: number;
  readonly feeds?: readonly string[];
  readonly parties: readonly FilteredParty[];
  readonly streams: readonly { readonly from: FilteredParty | null; readonly to: FilteredParty | null }[];
}

/** The calls of a message about changed calls. Only aggregators write those; another version may have other fields. */
export function changedCallsOf(message: unknown): readonly ChangedCall[] | undefined {
  if (!isObject(message) || !Array.isArray(message['calls'])) return undefined;
  const calls: readonly unknown[] = message['calls'];
  return calls.every(isChangedCall) ? calls : undefined;
}

function isChangedCall(call: unknown): call is ChangedCall {
  return (
    isObject(call) &&
    typeof call['callId'] === 'string' &&
    typeof call['version'] === 'number' &&
    Array.isArray(call['parties']) &&
    Array.isArray(call['streams'])
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
