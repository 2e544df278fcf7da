import type { metricsLevel } from '@ringdown/quality';

/** By stream. */
export type StreamLevels = ReadonlyMap<string, ReturnType<typeof metricsLevel>>;

/** A mean that moves about a threshold may cross it with each report. */
const SHORTEST_GAP_MS = 5_000;
const NONE: StreamLevels = new Map();

/** When the quality of a call is reported during the call: at a period, and when a stream crosses a threshold. */
export class InCallSchedule {
  private levels = NONE;
  private firstAt: number | undefined;
  private lastAt: number | undefined;

  /** Call it if there are new measurements. A period of 0 means never. */
  isDue(now: number, levels: StreamLevels, periodMs: number): boolean {
    if (periodMs === 0) return false;
    this.firstAt ??= now;
    const isPeriodOver = now - (this.lastAt ?? this.firstAt) >= periodMs;
    const mayCross = this.lastAt === undefined || now - this.lastAt >= SHORTEST_GAP_MS;
    if (!isPeriodOver && !(mayCross && this.isCrossed(levels))) return false;
    this.lastAt = now;
    this.levels = levels;
    return true;
  }

  /** A stream is good until it is reported. */
  private isCrossed(levels: StreamLevels): boolean {
    return [...levels].some(([stream, level]) => level !== (this.levels.get(stream) ?? 'good'));
  }
}
