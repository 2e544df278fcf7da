import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useRef, type CSSProperties, type ReactNode, type RefObject } from 'react';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import { formatFixed } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import type { LadderColumn } from './columns.js';
import styles from './ladder-list.module.css';
import { isOfOther, type LadderRow } from './ladder.js';
import { useLadderKeys } from './use-ladder-keys.js';
import { texts } from '../texts/ladder.js';

interface LadderListProps {
  /** The element with the focus and the keys. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly columns: readonly LadderColumn[];
  readonly rows: readonly LadderRow[];
  /** Messages and records of other calls are marked. */
  readonly callId: string;
  /** Number of the row that Enter opens. */
  readonly active: number;
  /** Time of the first row. */
  readonly began: number;
  readonly onActive: (index: number) => void;
  readonly onDetails: (isShown: boolean) => void;
}

const ROW = 32;
const HEAD = 44;
const OVERSCAN = 4;
const PAGE = 10;

/** The arrows between the columns; renders only the visible rows. */
export function LadderList(props: LadderListProps): ReactNode {
  const { list, columns, rows, callId, active, began, onActive, onDetails } = props;
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const lanes = Math.max(2, columns.length);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: HEAD,
    scrollPaddingStart: HEAD,
  });
  useLadderKeys({ list, active, count: rows.length, step: PAGE, onActive, onDetails });
  const key = rows[active]?.key;
  useEffect(() => virtual.scrollToIndex(active, { align: 'auto' }), [key]); // oxlint-disable-line react/exhaustive-deps -- only another row is scrolled to
  const drawn = virtual.getVirtualItems();
  const isDrawn = drawn.some(({ index }) => index === active);
  return (
    <div ref={place} className={styles['scroll']}>
      <div className={styles['ladder']} style={variables({ '--lanes': String(lanes) })}>
        <div className={styles['head']} style={{ height: HEAD }}>
          {columns.map(({ title, name }) => (
            <span key={`${title} ${name}`} title={name === title ? title : `${title} ${name}`}>
              {title}
              {name !== '' && name !== title && <small>{name}</small>}
            </span>
          ))}
        </div>
        <div
          ref={list}
          className={styles['rows']}
          role="listbox"
          aria-label={texts.ladder}
          tabIndex={0}
          aria-activedescendant={isDrawn ? `${id}${active}` : undefined}
          style={{ height: virtual.getTotalSize() }}
        >
          {drawn.map(({ key: name, index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Row
                key={name}
                id={`${id}${index}`}
                row={row}
                lanes={lanes}
                top={start - HEAD}
                index={index}
                count={rows.length}
                began={began}
                isActive={index === active}
                isOther={isOfOther(row, callId)}
                onOpen={() => {
                  onActive(index);
                  onDetails(true);
                  list.current?.focus();
                }}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: LadderRow;
  readonly lanes: number;
  /** Pixels. */
  readonly top: number;
  readonly index: number;
  readonly count: number;
  readonly began: number;
  readonly isActive: boolean;
  /** Of a related call. */
  readonly isOther: boolean;
  readonly onOpen: () => void;
}

const Row = memo((props: RowProps): ReactNode => {
  const { id, row, lanes, top, index, count, began, isActive, isOther, onOpen } = props;
  const { item } = row;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the focus and the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={styles['row']}
      data-kind={row.kind}
      style={{ transform: `translateY(${top}px)`, height: ROW }}
      onClick={onOpen}
    >
      <span className={styles['when']}>
        <Time at={row.at} />
        <span className="muted">+{formatFixed((row.at - began) / 1000, 3)}</span>
      </span>
      <span className={styles['lanes']}>
        <Arrow row={row} lanes={lanes} />
      </span>
      <span className={styles['after']}>
        {isOther && <span className="muted">{texts.relatedCall}</span>}
        {item?.late && <span className="muted">{texts.late}</span>}
        {item?.changed.includes('state') && <StateBadge state={item.after.state} />}
        {item?.changed.includes('verdict') && <VerdictBadge verdict={item.after.verdict} />}
      </span>
    </div>
  );
}, isSameRow);

/** `onOpen` is new in each rendering, and does the same. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  return (Object.keys(after) as (keyof RowProps)[]) // oxlint-disable-line typescript/no-unsafe-type-assertion -- keys of an object are strings to the compiler
    .every((name) => name === 'onOpen' || before[name] === after[name]);
}

/** From the middle of one column to the middle of another. */
function Arrow({ row, lanes }: { readonly row: LadderRow; readonly lanes: number }): ReactNode {
  const { label, level, isArrow } = row;
  const from = row.from ?? row.to ?? 0;
  const to = row.to ?? (row.from === undefined ? lanes - 1 : row.from === 0 ? 1 : row.from - 1);
  // A message to itself has a short line in its column.
  const [left, right] = from === to ? [from - 0.3, from + 0.3] : [Math.min(from, to), Math.max(from, to)];
  const place = {
    '--left': `${((left + 0.5) / lanes) * 100}%`,
    '--right': `${(1 - (right + 0.5) / lanes) * 100}%`,
  };
  const isPointed = isArrow && row.from !== undefined && row.to !== undefined;
  const head = isPointed ? (to >= from ? styles['right'] : styles['left']) : styles['line'];
  return (
    <span className={`${styles['arrow']} ${head}`} data-level={level} style={variables(place)} title={label}>
      <span>{label}</span>
    </span>
  );
}

/** React's style type does not include custom properties. */
function variables(values: Readonly<Record<`--${string}`, string>>): CSSProperties {
  return { ...values };
}
