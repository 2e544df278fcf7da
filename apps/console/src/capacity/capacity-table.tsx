import { use, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { LoadOfValue, TrunkLimit } from '../api/answers.js';
import { CardTable, NoValue } from '../parts/card-table.js';
import { formatBandwidth, formatMinute, formatNumber, formatRounded } from '../parts/format.js';
import table from '../parts/wide-table.module.css';
import { Narrowing } from '../quality/narrowing.js';
import { wordsFor } from '../quality/dimensions.js';
import type { TimeBucket } from '../quality/timeframe.js';
import { fieldWord } from '../search/fields.js';
import { texts } from '../texts/capacity.js';
import { begunCalls, minuteAt, runningCalls } from './calls-of-load.js';
import { MOST_CHOSEN, type LoadDimension } from './capacity-query.js';
import styles from './capacity.module.css';
import { LimitCells } from './limit-cells.js';

interface CapacityTableProps {
  readonly by: LoadDimension;
  readonly time: TimeBucket;
  readonly rows: readonly LoadOfValue[];
  /** Values with a chart. */
  readonly charted: readonly string[];
  readonly onToggle: (value: string) => void;
  /** The limits that this user may change; undefined for none. */
  readonly editable: readonly TrunkLimit[] | undefined;
}

/** The peak of each value with its minute, the 95th percentile, and of trunks the limit. */
export function CapacityTable({ by, rows, ...others }: CapacityTableProps): ReactNode {
  const words = wordsFor(by);
  const limitHeads = [texts.limit, texts.used, texts.above];
  const numbers = [
    texts.peak,
    texts.p95,
    ...(by === 'trunk' ? limitHeads : []),
    texts.attempts,
    texts.attemptsPeak,
    texts.bandwidthPeak,
    texts.bandwidthP95,
  ];
  return (
    <CardTable
      label={texts.loadTable(words)}
      heads={[{ title: words.one }, { title: texts.chart }, ...numbers.map((title) => ({ title, isNumber: true }))]}
    >
      {rows.map((row) => (
        <Row key={row.value ?? ''} by={by} row={row} {...others} />
      ))}
    </CardTable>
  );
}

interface RowProps extends Omit<CapacityTableProps, 'rows'> {
  readonly row: LoadOfValue;
}

function Row({ by, row, time, charted, onToggle, editable }: RowProps): ReactNode {
  const { value, peak, p95, bandwidthPeak, attempts, attemptsPeak } = row;
  const criteria = use(Narrowing);
  const name = value === null ? texts.notKnown : fieldWord(by, value);
  const number = table['number'];
  const isFull = value !== null && charted.length >= MOST_CHOSEN && !charted.includes(value);
  const running = (at: string): string | undefined =>
    value === null ? undefined : runningCalls(minuteAt(at), { by, value }, criteria);
  const begun = (at: string): string | undefined =>
    value === null ? undefined : begunCalls(minuteAt(at), { by, value }, criteria);
  return (
    <tr>
      <th scope="row" dir="auto">
        {value === null ? (
          <span className="muted">{name}</span>
        ) : (
          <Link href={begunCalls(time, { by, value }, criteria)}>{name}</Link>
        )}
      </th>
      {value === null ? (
        <NoValue />
      ) : (
        <td>
          <input
            type="checkbox"
            aria-label={texts.chartOf(name)}
            checked={charted.includes(value)}
            disabled={isFull}
            title={isFull ? texts.mostCharts(formatNumber(MOST_CHOSEN)) : undefined}
            onChange={() => onToggle(value)}
          />
        </td>
      )}
      <td className={number}>
        <Peak
          shown={formatNumber(peak.calls)}
          at={peak.at}
          words={(when) => texts.callsAtPeak(name, peak.calls, when)}
          hrefOf={running}
        />
      </td>
      <td className={number}>{formatNumber(p95.calls)}</td>
      {by === 'trunk' && <LimitCells row={row} editable={editable} />}
      <td className={number}>{formatNumber(attempts)}</td>
      <td className={number}>
        <Peak
          shown={formatRounded(attemptsPeak.perSecond)}
          at={attemptsPeak.at}
          words={(when) => texts.attemptsAtPeak(name, formatRounded(attemptsPeak.perSecond), when)}
          hrefOf={begun}
        />
      </td>
      <td className={number}>
        <Peak
          shown={formatBandwidth(bandwidthPeak.averageBandwidth)}
          at={bandwidthPeak.at}
          words={(when) => texts.bandwidthAtPeak(name, formatBandwidth(bandwidthPeak.averageBandwidth), when)}
          hrefOf={running}
        />
      </td>
      <td className={number}>{formatBandwidth(p95.averageBandwidth)}</td>
    </tr>
  );
}

interface PeakProps {
  readonly shown: string;
  /** The beginning of its minute; null if there was nothing. */
  readonly at: string | null;
  /** For those who do not see the row. */
  readonly words: (when: string) => string;
  /** The search for its calls; undefined if there is no filter for them. */
  readonly hrefOf: (at: string) => string | undefined;
}

/** A peak with its time, which links to its calls. */
function Peak({ shown, at, words, hrefOf }: PeakProps): ReactNode {
  if (at === null) return <span className="muted">{shown}</span>;
  const when = formatMinute(minuteAt(at).from);
  const href = hrefOf(at);
  return (
    <>
      {href === undefined ? (
        shown
      ) : (
        <Link href={href} aria-label={words(when)}>
          {shown}
        </Link>
      )}
      <span className={styles['when']}>{when}</span>
    </>
  );
}
