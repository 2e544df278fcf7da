import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { isInProgress } from '../api/calls.js';
import { useMedia } from '../parts/use-media.js';
import { callHref } from '../parts/call-address.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import { formatDuration, formatNumber } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import { texts } from '../texts/live.js';
import type { LiveItem } from './arranged-rows.js';
import type { CallRow } from '../parts/call-row.js';
import styles from './call-list.module.css';
import { useSeconds } from './use-live-calls.js';

const COLUMNS = [
  texts.verdict,
  texts.state,
  texts.parties,
  texts.problem,
  texts.media,
  texts.frontEnd,
  texts.started,
  texts.duration,
];
const ROW = 34;
const NARROW_ROW = 58;
const OVERSCAN = 6;

/** A table of any length that renders only the visible rows. */
export function CallList({ items }: { readonly items: readonly LiveItem[] }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const isNarrow = useMedia('(max-width: 700px)');
  const height = isNarrow ? NARROW_ROW : ROW;
  const now = useSeconds();
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => place.current,
    estimateSize: () => height,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: OVERSCAN,
  });
  return (
    <div className={styles['table']} role="table" aria-label={texts.calls} aria-rowcount={items.length + 1}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard as well */}
      <div ref={place} className={styles['rows']} tabIndex={0} role="rowgroup">
        <div className={styles['head']} role="row" aria-rowindex={1}>
          {COLUMNS.map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
        </div>
        <div className={styles['sheet']} style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            const place = { index, top: start, height };
            if (item.kind === 'title') return <Title key={key} title={item.title} count={item.count} {...place} />;
            return <Row key={key} row={item.row} {...place} lasts={lastsOf(item.row, now)} />;
          })}
        </div>
      </div>
    </div>
  );
}

function lastsOf(row: CallRow, now: number): string {
  if (!isInProgress(row.state)) return row.seconds === undefined ? '' : formatDuration(row.seconds);
  return row.state === 'invited' ? '' : formatDuration((now - row.beganAt) / 1000);
}

interface Place {
  readonly index: number;
  /** Pixels, like the height. */
  readonly top: number;
  readonly height: number;
}

interface TitleProps extends Place {
  readonly title: string;
  readonly count: number;
}

/** The name of a group of rows. */
const Title = memo(({ title, count, index, top, height }: TitleProps): ReactNode => (
  <div
    className={`${styles['row']} ${styles['group']}`}
    role="row"
    aria-rowindex={index + 2}
    style={{ transform: `translateY(${top}px)`, height }}
  >
    <span role="rowheader" aria-colspan={COLUMNS.length}>
      {title} <b>{formatNumber(count)}</b>
    </span>
  </div>
));

interface RowProps extends Place {
  readonly row: CallRow;
  readonly lasts: string;
}

const Row = memo(({ row, index, top, height, lasts }: RowProps): ReactNode => {
  const over = isInProgress(row.state) ? '' : styles['over'];
  return (
    <div
      className={`${styles['row']} ${styles[row.verdict] ?? ''} ${over}`}
      role="row"
      aria-rowindex={index + 2}
      data-call-id={row.callId}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <span role="cell">
        <VerdictBadge verdict={row.verdict} />
      </span>
      <span role="cell">
        <StateBadge state={row.state} />
      </span>
      <span role="cell" className={styles['who']}>
        <Link href={callHref(row.callId)}>
          {row.from === '' ? texts.unknownParty : row.from} → {row.to === '' ? texts.unknownParty : row.to}
        </Link>
      </span>
      <span role="cell" className={styles['trouble']}>
        {row.trouble}
      </span>
      <span role="cell">{row.media}</span>
      <span role="cell">{row.frontEnds.join(', ')}</span>
      <span role="cell" className={styles['number']}>
        <Time at={row.beganAt} />
      </span>
      <span role="cell" className={styles['number']}>
        {lasts}
      </span>
    </div>
  );
});
