import type { Operator } from './operator.js';

/** A question of an operator, and how the console answers it. */
export interface Task {
  readonly question: string;
  /** Whether the console of commit c8ee6b49 could answer it, by reading its code: not at all (without what), or only by a longer way. */
  readonly before: 'possible' | { readonly missing: string } | { readonly longer: string };
  /** Ends when the right answer is visible. */
  readonly run: (operator: Operator) => Promise<void>;
}
