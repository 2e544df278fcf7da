import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { BucketMark } from '../charts/bucket-chart.js';
import { AXIS } from '../charts/chart-style.js';
import type { MetricBucket } from './metric-series.js';
import styles from './metrics.module.css';

interface DistributionChartProps {
  /** A label for each class, the lowest first. */
  readonly classes: readonly string[];
  readonly columns: readonly MetricBucket[];
  /** One for each column. */
  readonly marks: readonly BucketMark[];
}

/** The distribution of the streams of each time over the classes, the highest on top. The numbers contain the same. Its columns are below those of the chart. */
export function DistributionChart({ classes, columns, marks }: DistributionChartProps): ReactNode {
  return (
    <div className={styles['distribution']} style={{ paddingRight: AXIS.right }} aria-hidden="true">
      <div className={styles['classes']} style={{ width: AXIS.left }}>
        {classes.toReversed().map((words, index) => (
          <span key={words}>{index % 2 === 0 ? words : ''}</span>
        ))}
      </div>
      {marks.map(({ key, title, href }, index) => (
        <Link key={key} className={styles['column'] ?? ''} href={href} title={title} tabIndex={-1}>
          {classes.toReversed().map((words, fromTop) => (
            <span key={words} className={styles[`shade${columns[index]?.shades[classes.length - 1 - fromTop] ?? 0}`]} />
          ))}
        </Link>
      ))}
    </div>
  );
}
