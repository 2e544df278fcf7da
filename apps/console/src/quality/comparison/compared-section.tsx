import { useMemo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Dimension } from '../../api/answers.js';
import { Legend } from '../../charts/legend.js';
import { EmptyNote } from '../../parts/notes.js';
import { Section } from '../../parts/section.js';
import { texts } from '../../texts/comparison.js';
import { texts as qualityTexts } from '../../texts/quality.js';
import { bucketMark } from '../calls-behind.js';
import { useCallsBehind } from '../narrowing.js';
import { Numbers } from '../numbers.js';
import { formatBucket } from '../timeframe.js';
import { ZoomableChart } from '../zoomable-chart.js';
import type { ComparedChart, LineData } from './compared-charts.js';
import styles from './comparison.module.css';
import { differences, type Difference } from './differences.js';
import type { Line } from './lines.js';
import { useLineAnswers, type DividedAnswer } from './use-lines.js';

const CHART_HEIGHT = 150;
/** With the legend, and the line for the numbers below. */
const WHOLE_HEIGHT = CHART_HEIGHT + 80;

interface ComparedSectionProps<A> {
  readonly chart: ComparedChart<A>;
  readonly lines: readonly Line[];
  /** Undefined for weeks. */
  readonly by: Dimension | undefined;
}

/** A chart with one line for each value or week, and a legend that says which of them differs. */
export function ComparedSection<A extends DividedAnswer>(props: ComparedSectionProps<A>): ReactNode {
  const { chart, lines, by } = props;
  const found = useLineAnswers<A>(chart, lines, by);
  if (found === undefined) return null;
  return (
    <Section title={chart.title} query={found.query} height={WHOLE_HEIGHT}>
      {() => found.answers !== undefined && <Compared {...props} answers={found.answers} />}
    </Section>
  );
}

interface ComparedProps<A> extends ComparedSectionProps<A> {
  readonly answers: readonly A[];
}

function Compared<A>({ chart, lines, by, answers }: ComparedProps<A>): ReactNode {
  const { title, shown, range, read } = chart;
  const behind = useCallsBehind();
  const data = useMemo(() => answers.map(read), [answers, read]);
  const buckets = useMemo(() => data[0]?.buckets ?? [], [data]);
  const series = useMemo(
    () =>
      lines.map(({ colour, isDashed }, index) => {
        return { colour, isDashed, values: data[index]?.buckets.map(({ value }) => value) ?? [] };
      }),
    [lines, data],
  );
  if (data.every(({ total }) => total === '')) return <EmptyNote title={qualityTexts.noMeasurements} />;
  const marks = buckets.map(({ time }, at) => bucketMark(time, wordsAt(lines, data, at, shown), behind));
  return (
    <>
      <ComparedLegend chart={chart} lines={lines} answers={answers} data={data} />
      <ZoomableChart
        label={qualityTexts.overTime(title)}
        kind="lines"
        buckets={buckets}
        series={series}
        shown={shown}
        height={CHART_HEIGHT}
        range={range}
        marks={marks}
      />
      <Numbers label={title} heads={lines.map(({ label }) => label)}>
        {buckets.flatMap(({ time }, at) => {
          if (data.every((line) => (line.buckets[at]?.value ?? null) === null)) return [];
          return {
            time,
            cells: lines.map((line, index): [string, ReactNode] => [
              line.key,
              <Value key={line.key} line={line} by={by} bucket={data[index]?.buckets[at]} shown={shown} />,
            ]),
          };
        })}
      </Numbers>
    </>
  );
}

type Bucket = LineData['buckets'][number];

function wordsAt(
  lines: readonly Line[],
  data: readonly LineData[],
  at: number,
  shown: (value: number) => string,
): string {
  const known = lines.flatMap(({ label }, index) => {
    const value = data[index]?.buckets[at]?.value ?? null;
    return value === null ? [] : texts.value(label, shown(value));
  });
  return known.length === 0 ? qualityTexts.notMeasured : known.join(', ');
}

interface ValueProps extends Pick<ComparedChart<never>, 'shown'> {
  readonly line: Line;
  readonly by: Dimension | undefined;
  readonly bucket: Bucket | undefined;
}

/** A value as a link to its calls. */
function Value({ line: { label, value: ofLine }, by, bucket, shown }: ValueProps): ReactNode {
  const behind = useCallsBehind();
  const value = bucket?.value ?? null;
  if (bucket === undefined || value === null) return <span className="muted">–</span>;
  const { time } = bucket;
  const of = by === undefined || ofLine === undefined ? {} : { of: { by, value: ofLine } };
  return (
    <Link href={behind({ time, ...of })} aria-label={texts.cell(label, shown(value), formatBucket(time))}>
      {shown(value)}
    </Link>
  );
}

interface ComparedLegendProps<A> extends Pick<ComparedProps<A>, 'chart' | 'lines' | 'answers'> {
  readonly data: readonly LineData[];
}

function ComparedLegend<A>({ chart, lines, answers, data }: ComparedLegendProps<A>): ReactNode {
  const found = differences(data.map(({ counts }) => counts));
  return (
    <Legend
      isColumn
      lines={lines.map(({ label, colour, isDashed }, index) => {
        const [difference, answer] = [found[index], answers[index]];
        const total = data[index]?.total ?? '';
        return {
          label,
          colour,
          isDashed,
          about: (
            <>
              {total === '' ? texts.nothingKnown : total}
              {difference !== undefined && answer !== undefined && (
                <DifferenceMark difference={difference} words={chart.differenceWords(difference, answer)} />
              )}
            </>
          ),
        };
      })}
    />
  );
}

function DifferenceMark({
  difference: { is },
  words,
}: {
  readonly difference: Difference;
  readonly words: string;
}): ReactNode {
  return (
    <strong className={styles[is]}>
      {' '}
      <span aria-hidden="true">{is === 'more' ? '▲' : '▼'}</span> {words}
    </strong>
  );
}
