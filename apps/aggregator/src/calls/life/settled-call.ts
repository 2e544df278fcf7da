import type { Call } from '../call.js';
import type { DerivedCall } from '../derive-call.js';

/** Whether no record of a call is expected any more at `now`; one that arrives nevertheless amends it. */
export function isSettled({ call, waiting }: DerivedCall, now: number): boolean {
  if (waiting !== undefined) return false;
  if (call.state === 'failed' || hasAllReports(call)) return true;
  return call.settlesAt !== null && Date.parse(call.settlesAt) <= now;
}

function hasAllReports({ coverage, quality }: Call): boolean {
  return coverage === 'both' && quality.every(({ final }) => final);
}
