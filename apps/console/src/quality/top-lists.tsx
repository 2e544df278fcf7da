import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Dimension, StreamStatistics } from '../api/answers.js';
import { formatNumber, formatShare } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { useCallsBehind } from './narrowing.js';
import { wordsFor } from './dimensions.js';
import styles from './quality-view.module.css';
import { topBad, type RankedValue } from './ranking.js';
import lists from './top-lists.module.css';
import { formatBucket, wholeTime, type TimeBucket, type Timeframe } from './timeframe.js';
import { useStreams } from './use-statistics.js';
import { badShare } from './verdict-series.js';
import { texts } from '../texts/quality.js';

const LISTS: readonly Dimension[] = ['site', 'userAgent', 'codec', 'frontEnd'];
const ROWS = 6;
const ROW_HEIGHT = 34;

/** The values with most bad streams. */
export function TopLists({ frame }: { readonly frame: Timeframe }): ReactNode {
  return (
    <div className={styles['lists']}>
      {LISTS.map((by) => (
        <TopList key={by} frame={frame} by={by} />
      ))}
    </div>
  );
}

function TopList({ frame, by }: { readonly frame: Timeframe; readonly by: Dimension }): ReactNode {
  const query = useStreams({ frame, by, limit: ROWS });
  return (
    <Section title={texts.worst(wordsFor(by))} query={query} about={topListCaption} height={ROWS * ROW_HEIGHT}>
      {(answer) => <Rows answer={answer} by={by} />}
    </Section>
  );
}

function topListCaption(): string {
  return texts.badStreams;
}

function Rows({ answer, by }: { readonly answer: StreamStatistics; readonly by: Dimension }): ReactNode {
  const rows = topBad(answer, ROWS);
  const time = wholeTime(answer);
  if (rows.length === 0) return <EmptyNote title={texts.noBadStreams} />;
  return (
    <ol className={lists['list']}>
      {rows.map((row) => (
        <Row key={row.value ?? ''} row={row} by={by} time={time} />
      ))}
    </ol>
  );
}

interface RowProps {
  readonly row: RankedValue;
  readonly by: Dimension;
  readonly time: TimeBucket;
}

function Row({ row: { value, counts }, by, time }: RowProps): ReactNode {
  const behind = useCallsBehind();
  const share = badShare(counts);
  const percent = formatShare(share);
  const words = `${texts.verdictCounts.bad(formatNumber(counts.bad))}, ${percent}, ${formatBucket(time)}`;
  return (
    <li className={lists['row']}>
      {value === null ? (
        <span className="muted">{texts.notKnown}</span>
      ) : (
        <Link
          className={lists['value'] ?? ''}
          href={behind({ time, verdict: 'bad', of: { by, value } })}
          title={value}
          aria-label={`${value}: ${words}`}
        >
          {value}
        </Link>
      )}
      <span className={lists['bad']}>{formatNumber(counts.bad)}</span>
      <span className={lists['share']}>{percent}</span>
      <span className={lists['bar']} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </li>
  );
}
