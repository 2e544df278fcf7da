import type { ReportProblem } from '../../quality/call-quality.js';

/** Why a quality report does not count. */
export type UncountedReport = ReportProblem | 'unknown call' | 'unreadable';

/** How many quality reports count for a call, and why the others do not. */
export class ReportCounts {
  private readonly problems: Record<UncountedReport, number> = {
    'unknown call': 0,
    'no evidence': 0,
    'contradicting evidence': 0,
    'unknown medium': 0,
    'unknown stream': 0,
    'impossible value': 0,
    unreadable: 0,
  };
  private good = 0;

  add(problem: UncountedReport | undefined): void {
    if (problem === undefined) this.good++;
    else this.problems[problem]++;
  }

  get counted(): number {
    return this.good;
  }

  get uncounted(): Readonly<Record<UncountedReport, number>> {
    return { ...this.problems };
  }
}
