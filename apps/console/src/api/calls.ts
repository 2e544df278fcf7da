import type { CallState, Coverage, Verdict } from './answers.js';

export const CALL_STATES: readonly CallState[] = ['invited', 'active', 'held', 'ended', 'failed', 'expired'];
/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['bad', 'poor', 'good', 'unknown'];
export const COVERAGES: readonly Coverage[] = ['both', 'one', 'none'];
const IN_PROGRESS: ReadonlySet<CallState> = new Set(['invited', 'active', 'held']);

export function isInProgress(state: CallState): boolean {
  return IN_PROGRESS.has(state);
}
