import type UPlot from 'uplot';
import { formatClock, formatClockSeconds, formatDay, isMidnight } from '../parts/format.js';

/** The current colour of a custom property of the theme. */
export type ColourOf = (name: string) => string;

/** Margins of the plotting area, in pixels. */
export const AXIS = { left: 58, right: 32, bottom: 20, top: 6 } as const;
/** The same as a style, for what lies over the plotting area. */
export const OVER_PLOT = { inset: `${AXIS.top}px ${AXIS.right}px ${AXIS.bottom}px ${AXIS.left}px` } as const;

const LINE_COLOURS = ['--line-1', '--line-2', '--line-3'] as const;

/** One of up to six lines beside each other, which can be told apart without colours as well. */
export function lineLook(index: number): { readonly colour: string; readonly isDashed: boolean } {
  return {
    colour: LINE_COLOURS[index % LINE_COLOURS.length] ?? LINE_COLOURS[0],
    isDashed: index >= LINE_COLOURS.length,
  };
}

const MINUTE_S = 60;
const DAY_S = 86_400;

/** The axes of all charts over time. */
export function timeAxes(colour: ColourOf, shown: (value: number) => string): UPlot.Axis[] {
  const axis = { stroke: colour('--muted'), font: '11px system-ui, sans-serif', ticks: { show: false }, gap: 4 }; // not shown: a font
  return [
    { ...axis, size: AXIS.bottom, grid: { show: false }, space: 70, values: (_plot, splits) => axisTimeLabels(splits) },
    {
      ...axis,
      size: AXIS.left,
      space: 26,
      grid: { stroke: colour('--line'), width: 1 },
      values: (_plot, splits) => splits.map((value) => shown(value)),
    },
  ];
}

/**
 * Labels of a time axis: times, with seconds where marks are less than a minute apart, and the day where they are days apart
 * or a day begins. None twice in a row: marks may be parts of a second apart.
 */
export function axisTimeLabels(splits: readonly number[]): string[] {
  const [first = 0, second = first] = splits;
  const step = second - first;
  const clock = step > 0 && step < MINUTE_S ? formatClockSeconds : formatClock;
  const labels = splits.map((seconds) => {
    const at = seconds * 1000;
    return step >= DAY_S || isMidnight(at) ? formatDay(at) : clock(at);
  });
  return labels.map((label, index) => (label === labels[index - 1] ? '' : label));
}

/** `light-dark()` and the like are resolved only in a property of type colour. */
export function resolved(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

export function faint(colour: string, share = 0.14): string {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${share})`);
}
