import type { Call, Endpoint, Metric, MetricPoint, MetricSeries, TimelineItem } from '../../api/answers.js';
import { METRIC_ELEMENTS, SCORE_ELEMENTS, SCORE_KINDS } from '../../api/catalogue.js';
import { isSameEnd } from '../quality-table.js';

/** One metric of a medium over the call, in both directions. */
export interface MetricGraph {
  readonly key: GraphKey;
  readonly unit: Metric['unit'];
  /** Name of the metric that the values are of. */
  readonly metric: string;
  /** Seconds since 1970, rising; the same for both directions. */
  readonly times: readonly number[];
  readonly there: readonly (number | null)[];
  readonly back: readonly (number | null)[];
}

export interface MediumGraphs {
  readonly mediaType: string | null;
  readonly from: Endpoint | null;
  readonly to: Endpoint | null;
  readonly graphs: readonly MetricGraph[];
}

export type GraphKey = 'mos' | 'loss' | 'jitter' | 'roundTrip';

/** The graphs of each medium on which there were at least two reports during the call. */
export function mediumGraphs(series: readonly MetricSeries[], caller: Endpoint | undefined): readonly MediumGraphs[] {
  const open = series
    .map((each) => ({ ...each, points: each.points.filter(({ final }) => !final) }))
    .filter(({ points }) => points.length > 0);
  const media: MediumGraphs[] = [];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const { mediaType, from, to } = one;
    const found = open.findIndex(
      (each) => each.mediaType === mediaType && isSameEnd(each.from, to) && isSameEnd(each.to, from),
    );
    const other = found === -1 ? undefined : open.splice(found, 1)[0];
    const isTurned = other !== undefined && isSameEnd(other.from, caller) && !isSameEnd(from, caller);
    const [there, back] = isTurned ? [other, one] : [one, other];
    const graphs = graphsOf(there.points, back?.points ?? []);
    if (graphs.length > 0) media.push({ mediaType, from: there.from, to: there.to, graphs });
  }
  return media;
}

function graphsOf(there: readonly MetricPoint[], back: readonly MetricPoint[]): readonly MetricGraph[] {
  const all = [...there, ...back];
  const kind = SCORE_KINDS.find((each) => all.some(({ mos }) => mos[each] !== undefined));
  const mos =
    kind === undefined ? [] : [graphOf('mos', SCORE_ELEMENTS[kind][0], (point) => point.mos[kind], there, back)];
  const others = (['loss', 'jitter', 'roundTrip'] as const).flatMap((key) => {
    const name = METRIC_ELEMENTS[key].find((each) => all.some(({ metrics }) => Object.hasOwn(metrics, each)));
    return name === undefined ? [] : [graphOf(key, name, ({ metrics }) => metrics[name], there, back)];
  });
  return [...mos, ...others].filter(({ times }) => times.length > 1);
}

function graphOf(
  key: GraphKey,
  metric: string,
  pick: (point: MetricPoint) => Metric | undefined,
  there: readonly MetricPoint[],
  back: readonly MetricPoint[],
): MetricGraph {
  const [one, other] = [pointValues(there, pick), pointValues(back, pick)];
  const times = [...new Set([...one.keys(), ...other.keys()])].toSorted((a, b) => a - b);
  const unit = [...there, ...back].map((point) => pick(point)?.unit).find(Boolean);
  return {
    key,
    metric,
    unit,
    times,
    there: times.map((at) => one.get(at) ?? null),
    back: times.map((at) => other.get(at) ?? null),
  };
}

function pointValues(
  points: readonly MetricPoint[],
  pick: (point: MetricPoint) => Metric | undefined,
): ReadonlyMap<number, number> {
  const values = new Map<number, number>();
  for (const point of points) {
    const value = pick(point)?.value;
    const at = Date.parse(point.at) / 1000;
    if (typeof value === 'number' && Number.isFinite(value) && Number.isFinite(at)) values.set(at, value);
  }
  return values;
}

/** Call flow to the call at one time, or between two. */
export interface GraphMark {
  readonly kind: 'hold' | 'change' | 'end';
  /** Seconds since 1970. */
  readonly from: number;
  /** Later than `from` only for a hold. */
  readonly to: number;
}

const CHANGES: ReadonlySet<string> = new Set(['start', 'startOrUpdate', 'update']);

/** Holds, changes of the media (re-INVITE), and the end, by the times of the front ends. */
export function graphMarks(items: readonly TimelineItem[], { endedAt }: Pick<Call, 'endedAt'>): readonly GraphMark[] {
  const marks: GraphMark[] = [];
  let heldSince: number | undefined;
  let hasStarted = false;
  const end = endedAt === null ? undefined : Date.parse(endedAt) / 1000;
  for (const { at, events, changed, after } of items) {
    const time = Date.parse(at) / 1000;
    const isHeld = after.state === 'held';
    if (changed.includes('state') && isHeld) heldSince ??= time;
    else if (heldSince !== undefined && !isHeld) {
      marks.push({ kind: 'hold', from: heldSince, to: time });
      heldSince = undefined;
    } else if (hasStarted && events.some(({ kind }) => CHANGES.has(kind))) {
      marks.push({ kind: 'change', from: time, to: time });
    }
    hasStarted ||= events.some(({ kind }) => CHANGES.has(kind));
  }
  if (heldSince !== undefined) marks.push({ kind: 'hold', from: heldSince, to: end ?? Infinity });
  if (end !== undefined) marks.push({ kind: 'end', from: end, to: end });
  return marks;
}
