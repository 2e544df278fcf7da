import { useEffect, useRef, type ReactNode } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import styles from './time-chart.module.css';

export interface TimeChartProps {
  /** What a person who does not see it is told. */
  readonly label: string;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly shown: (value: number) => string;
  readonly height: number;
}

/** One value over time as a line with its area, in the colours of the theme. */
export function TimeChart({ label, times, values, shown, height }: TimeChartProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const newest = useRef({ times, values, shown });
  useEffect(() => {
    newest.current = { times, values, shown };
  });

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new UPlot(
        optionsOf(element, height, (value) => newest.current.shown(value)),
        dataOf(newest.current),
        element,
      );
    };
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    // Canvases know no custom properties: another theme is another drawing.
    const themed = new MutationObserver(draw);
    const system = matchMedia('(prefers-color-scheme: dark)');
    draw();
    resized.observe(element);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      system.removeEventListener('change', draw);
      plot.current?.destroy();
    };
  }, [height]);

  useEffect(() => plot.current?.setData(dataOf({ times, values })), [times, values]);

  return <div ref={place} className={styles['chart']} role="img" aria-label={label} style={{ height }} />;
}

function dataOf({ times, values }: Pick<TimeChartProps, 'times' | 'values'>): UPlot.AlignedData {
  return [[...times], [...values]];
}

function optionsOf(element: HTMLElement, height: number, shown: (value: number) => string): UPlot.Options {
  const [accent, muted, line] = ['--accent', '--muted', '--line'].map((name) => resolved(element, name));
  const font = '11px system-ui, sans-serif';
  const axis = { stroke: muted ?? '', font, ticks: { show: false }, gap: 4 };
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    padding: [6, 0, 0, 0],
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
    axes: [
      { ...axis, size: 20, grid: { show: false }, space: 70, values: (_plot, splits) => splits.map(clockOf) },
      {
        ...axis,
        size: 58,
        space: 26,
        grid: { stroke: line ?? '', width: 1 },
        values: (_plot, splits) => splits.map((value) => shown(value)),
      },
    ],
    series: [{}, { stroke: accent ?? '', fill: faint(accent ?? ''), width: 1.5, points: { show: false } }],
  };
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function clockOf(seconds: number): string {
  return clock.format(seconds * 1000);
}

/** `light-dark()` and the like become a colour only in a property that takes one. */
function resolved(element: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function faint(colour: string): string {
  return colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.14)');
}
