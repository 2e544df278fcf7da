import { useRef, useState, type MouseEvent, type PointerEvent, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { BucketMark } from './bucket-chart.js';
import styles from './bucket-chart.module.css';
import { OVER_PLOT } from './chart-style.js';

interface ChartMarksProps {
  readonly marks: readonly BucketMark[];
  /** Called with the first and the last selected mark. */
  readonly onSelect: ((first: number, last: number) => void) | undefined;
}

interface Dragged {
  readonly from: number;
  readonly to: number;
}

/** For the mouse, over a chart: values on hover, a link for each mark, and a selection by dragging. Keyboard users have the links of the numbers. */
export function ChartMarks({ marks, onSelect }: ChartMarksProps): ReactNode {
  const [hovered, hover] = useState<number>();
  const [dragged, drag] = useState<Dragged>();
  const hasDragged = useRef(false);
  const mark = hovered === undefined ? undefined : marks[hovered];

  function markUnder({ currentTarget, clientX }: MouseEvent<HTMLElement>): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    const place = Math.floor(((clientX - left) / width) * marks.length);
    return Math.min(marks.length - 1, Math.max(0, place));
  }
  function begin(event: PointerEvent<HTMLElement>): void {
    hasDragged.current = false;
    if (event.button !== 0 || onSelect === undefined || event.pointerType === 'touch') return;
    const from = markUnder(event);
    drag({ from, to: from });
  }
  function move(event: PointerEvent<HTMLElement>): void {
    const to = markUnder(event);
    hover(to);
    if (dragged === undefined || dragged.to === to) return;
    // From here on the pointer may leave the chart. Earlier, a click would not reach the link.
    if (!hasDragged.current) event.currentTarget.setPointerCapture(event.pointerId);
    hasDragged.current = true;
    drag({ ...dragged, to });
  }
  function end(event: PointerEvent<HTMLElement>): void {
    // The last move may not have been rendered yet.
    const to = markUnder(event);
    if (dragged !== undefined && hasDragged.current) onSelect?.(Math.min(dragged.from, to), Math.max(dragged.from, to));
    drag(undefined);
  }
  function leave(): void {
    hover(undefined);
    if (!hasDragged.current) drag(undefined);
  }

  return (
    <>
      <div
        className={styles['marks']}
        style={OVER_PLOT}
        aria-hidden="true"
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={() => drag(undefined)}
        onPointerLeave={leave}
        onClickCapture={(event) => {
          // The end of a selection is no click.
          if (hasDragged.current) event.preventDefault();
          if (hasDragged.current) event.stopPropagation();
        }}
      >
        {marks.map(({ key, title, href }) => (
          <Link
            key={key}
            className={styles['mark'] ?? ''}
            href={href}
            tabIndex={-1}
            draggable={false}
            data-words={title}
          />
        ))}
        {dragged !== undefined && <Selection {...dragged} count={marks.length} />}
      </div>
      {mark !== undefined && hovered !== undefined && (
        <div className={`${styles['words']} ${hovered < marks.length / 2 ? styles['right'] : ''}`} aria-hidden="true">
          {mark.title}
        </div>
      )}
    </>
  );
}

function Selection({ from, to, count }: Dragged & { readonly count: number }): ReactNode {
  const [first, last] = [Math.min(from, to), Math.max(from, to)];
  const [left, width] = [(first / count) * 100, ((last - first + 1) / count) * 100];
  return <span className={styles['selection']} style={{ left: `${left}%`, width: `${width}%` }} />;
}
