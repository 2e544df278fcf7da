import { appendFileSync } from 'node:fs';
import type { Outcome } from './feed-ledger.js';

/** One row of the table of `npm run test:faults`. */
export interface FaultReport {
  readonly fault: string;
  readonly tries: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
}

/** The file from which `npm run test:faults` reads the outcome of each fault; other test runs report nothing. */
const FILE = process.env['RINGDOWN_FAULTS_REPORT'];

export function reportFault(fault: string, tries: number, acknowledged: number, { lost, double }: Outcome): void {
  if (FILE === undefined) return;
  const row: FaultReport = { fault, tries, acknowledged, lost: lost.length, doubled: double.length };
  appendFileSync(FILE, `${JSON.stringify(row)}\n`);
}

/** One row of the table of `npm run test:cluster`. */
export interface RecoveryReport {
  readonly fault: string;
  readonly lost: number;
  readonly doubled: number;
  /** Until everything worked again, one for each try. */
  readonly seconds: readonly number[];
}

export function reportRecovery(row: RecoveryReport): void {
  if (FILE !== undefined) appendFileSync(FILE, `${JSON.stringify(row)}\n`);
}

/** Whether the long form runs. */
export const REPORTS_FAULTS = FILE !== undefined;

/** How often a fault is repeated: once in the tests, and more often in `npm run test:faults`. */
export function faultRepetitions(whole: number): number {
  return FILE === undefined ? 1 : whole;
}
