import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Pixels between two chips, as in facet-bar.module.css. */
const GAP = 4;
/** As in facet-bar.module.css. */
const LINES = 2;
/** Pixels; more than `+ 999 more` needs in any language. */
const MORE = 120;

/** Chips side by side, wrapped where a line is full: how many lines they need. */
export function chipLineCount(widths: readonly number[], room: number): number {
  let [lines, used] = [0, Infinity];
  for (const width of widths) {
    const isNew = used + GAP + width > room;
    lines += Number(isNew);
    used = isNew ? width : used + GAP + width;
  }
  return lines;
}

/** How many of the first chips fit into the lines with `more`, the chip after them; all if they fit without it. */
export function chipsThatFit(
  widths: readonly number[],
  { more, room, lines }: { readonly more: number; readonly room: number; readonly lines: number },
): number {
  if (chipLineCount(widths, room) <= lines) return widths.length;
  let count = widths.length;
  while (count > 1 && chipLineCount([...widths.slice(0, count), more], room) > lines) count--;
  return count;
}

export interface ChipRoom {
  readonly place: RefObject<HTMLDivElement | null>;
  readonly isMeasured: boolean;
  /** Chips that are shown. */
  readonly room: number;
}

/**
 * How many of `count` chips have room in two lines: all are rendered and measured, and what is too much is left out
 * before anything is painted, so that nothing below moves.
 * @param names - of the chips; others are measured again
 */
export function useChipRoom(names: string, count: number): ChipRoom {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [fitting, setFitting] = useState({ names: '', width: 0, count });
  const isMeasured = fitting.names === names && fitting.width === width;
  useLayoutEffect(() => {
    if (place.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (isMeasured || place.current === null) return;
    const widths = Array.from(place.current.children, (chip) => Math.ceil(chip.getBoundingClientRect().width));
    const room = Math.floor(place.current.clientWidth);
    const sizes = { more: MORE, room, lines: LINES };
    setFitting({ names, width, count: chipsThatFit(widths.slice(0, count), sizes) });
  }, [isMeasured, names, width, count]);
  return { place, isMeasured, room: isMeasured ? fitting.count : count };
}
