import type { CallState, Verdict } from './answers.js';

export const CALL_STATES: readonly CallState[] = ['invited', 'active', 'held', 'ended', 'failed', 'expired'];
/** The worst first. */
export const VERDICTS: readonly Verdict[] = ['bad', 'poor', 'good', 'unknown'];
const IN_PROGRESS: ReadonlySet<CallState> = new Set(['invited', 'active', 'held']);

export function isInProgress(state: CallState): boolean {
  return IN_PROGRESS.has(state);
}
