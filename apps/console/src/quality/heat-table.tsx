import { use, useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Dimension } from '../api/answers.js';
import { VerdictShape } from '../parts/badges.js';
import { formatDay, formatNumber, formatShortClock, isMidnight } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import type { HeatCell, HeatMap, HeatRow } from './heat-map.js';
import styles from './heat.module.css';
import { moveFocus, takeFocus } from './grid-focus.js';
import { Narrowing, ShownComparison, useCallsBehind } from './narrowing.js';
import { wordsFor } from './dimensions.js';
import { qualityHref, type QualityQuery } from './quality-query.js';
import { bucketInUtc, formatBucket, type TimeBucket } from './timeframe.js';
import { wordsFor as wordsOf } from './verdict-words.js';
import { texts as parts } from '../texts/parts.js';
import { fieldWord } from '../search/fields.js';
import { texts } from '../texts/quality.js';

interface HeatTableProps {
  readonly map: HeatMap;
  readonly by: Dimension;
  readonly bucketSeconds: number;
}

/** A grid of links with arrow key navigation. */
export function HeatTable({ map: { columns, rows }, by, bucketSeconds }: HeatTableProps): ReactNode {
  const [criteria, comparison] = [use(Narrowing), use(ShownComparison)];
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (table.current !== null) takeFocus(table.current);
  });
  const end = columns.at(-1)?.to;
  const shownEnd = useRef<number>(undefined);
  useEffect(() => {
    if (shownEnd.current === end) return;
    shownEnd.current = end;
    // The newest time is at the end, which a narrow window would not show.
    const scrolled = table.current?.parentElement;
    scrolled?.scrollTo({ left: scrolled.scrollWidth });
  }, [end]);
  return (
    <ScrollRegion label={texts.heatBy(wordsFor(by))}>
      <table
        ref={table}
        className={styles['table']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a grid whose cells are links
        role="grid"
        onKeyDown={(event) => {
          if (moveFocus(event.currentTarget, event.key)) event.preventDefault();
        }}
        onFocus={({ currentTarget, target }) => takeFocus(currentTarget, target)}
      >
        <thead>
          <tr>
            <th scope="col">{wordsFor(by).one}</th>
            {columns.map((column, index) => (
              <ColumnHead
                key={column.from}
                column={column}
                isFirst={index === 0}
                href={bucketSeconds > 60 ? closerAt(column, { by, comparison, criteria }) : undefined}
                isOfDays={bucketSeconds >= 86_400}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.value ?? ''} row={row} by={by} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

interface ColumnHeadProps {
  readonly column: TimeBucket;
  readonly isFirst: boolean;
  readonly isOfDays: boolean;
  readonly href: string | undefined;
}

function ColumnHead({ column, isFirst, isOfDays, href }: ColumnHeadProps): ReactNode {
  const at = column.from;
  const isNewDay = isFirst || isOfDays || isMidnight(at);
  const face = (
    <>
      <span>{isNewDay ? formatDay(at) : '\u00a0'}</span>
      <span>{isOfDays ? '\u00a0' : formatShortClock(at)}</span>
    </>
  );
  return (
    <th scope="col" title={`${formatBucket(column)} (${bucketInUtc(column)})`}>
      {href === undefined ? (
        face
      ) : (
        <Link href={href} tabIndex={-1}>
          {face}
          <span className="unseen">, {texts.closer}</span>
        </Link>
      )}
    </th>
  );
}

/** The same view of this bucket only. */
function closerAt({ from, to }: TimeBucket, query: Omit<QualityQuery, 'period'>): string {
  const period = { span: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  return qualityHref({ ...query, period });
}

function Row({ row: { value, cells }, by }: { readonly row: HeatRow; readonly by: Dimension }): ReactNode {
  const behind = useCallsBehind();
  const [first, last] = [cells[0], cells.at(-1)];
  const time = { from: first?.time.from ?? 0, to: last?.time.to ?? 0 };
  return (
    <tr>
      <th scope="row" title={value ?? undefined}>
        {value === null ? (
          <span className="muted">{texts.notKnown}</span>
        ) : (
          <Link href={behind({ time, of: { by, value } })} tabIndex={-1}>
            {fieldWord(by, value)}
          </Link>
        )}
      </th>
      {cells.map((cell) => (
        <Cell key={cell.time.from} cell={cell} value={value} by={by} />
      ))}
    </tr>
  );
}

interface CellProps {
  readonly cell: HeatCell;
  readonly value: string | null;
  readonly by: Dimension;
}

function Cell({ cell: { time, counts, verdict, heat }, value, by }: CellProps): ReactNode {
  const behind = useCallsBehind();
  if (verdict === undefined) {
    return (
      <td>
        <span className="unseen">{texts.noneCounted}</span>
      </td>
    );
  }
  const className = `${styles['cell']} ${styles[verdict]} ${styles[`heat${heat}`] ?? ''}`;
  const words = `${value === null ? texts.notKnown : fieldWord(by, value)}, ${formatBucket(time)}: ${wordsOf(counts)}`;
  const isMarked = verdict === 'bad' || verdict === 'poor';
  const face = isMarked ? (
    <>
      <VerdictShape verdict={verdict} />
      {formatNumber(counts[verdict])}
    </>
  ) : (
    <span className="unseen">{parts.verdicts[verdict]}</span>
  );
  const title = `${words} (${bucketInUtc(time)})`;
  return (
    <td>
      {value === null ? (
        <span className={className} title={title}>
          {face}
        </span>
      ) : (
        <Link
          className={className}
          href={behind({ time, of: { by, value }, ...(isMarked ? { verdict } : {}) })}
          aria-label={words}
          title={title}
          tabIndex={-1}
        >
          {face}
        </Link>
      )}
    </td>
  );
}
