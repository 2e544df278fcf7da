import { appendFileSync } from 'node:fs';
import type { Outcome } from './whole-feed.js';

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

/** How often a fault is repeated: once in the tests, and more often in `npm run test:faults`. */
export function triesOf(whole: number): number {
  return FILE === undefined ? 1 : whole;
}
