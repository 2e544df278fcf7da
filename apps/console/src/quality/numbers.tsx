import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { formatNumber } from '../parts/format.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import type { Mark } from './calls-behind.js';
import { useCallsBehind } from './narrowing.js';
import styles from './quality-view.module.css';
import { bucketInUtc, formatBucket, type TimeBucket } from './timeframe.js';
import { texts } from '../texts/quality.js';

interface NumbersProps {
  readonly label: string;
  /** Heads of the columns after the time. */
  readonly heads: readonly string[];
  /** Cells with a key each, as many as heads. */
  readonly children: readonly {
    readonly time: TimeBucket;
    readonly cells: readonly (readonly [string, ReactNode])[];
  }[];
}

/** The numbers of a chart as a table, for screen readers and for exact values. */
export function Numbers({ label, heads, children }: NumbersProps): ReactNode {
  return (
    <details className={styles['numbers']}>
      <summary>{texts.numbers}</summary>
      <div className={styles['scroll']}>
        <WideTable label={texts.numbersOf(label)}>
          <thead>
            <tr>
              <th>{texts.time}</th>
              {heads.map((head) => (
                <th key={head} className={table['number']}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {children.map(({ time, cells }) => (
              <tr key={time.from}>
                <th scope="row" title={bucketInUtc(time)}>
                  {formatBucket(time)}
                </th>
                {cells.map(([key, cell]) => (
                  <td key={key} className={table['number']}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </WideTable>
      </div>
    </details>
  );
}

interface CountLinkProps extends Mark {
  readonly count: number;
  /** What is counted, with the number. */
  readonly counted: (count: number) => string;
}

/** A number that links to its calls. */
export function CountLink({ count, counted, ...mark }: CountLinkProps): ReactNode {
  const behind = useCallsBehind();
  if (count === 0) return <span className="muted">0</span>;
  const shown = formatNumber(count);
  return (
    <Link href={behind(mark)} aria-label={`${counted(count)}, ${formatBucket(mark.time)}`}>
      {shown}
    </Link>
  );
}
