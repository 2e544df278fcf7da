import { useEffect, useRef, type ReactNode } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ColourOf } from './chart-style.js';
import { resolved } from './chart-style.js';
import { useTimeZone, type TimeZone } from '../parts/time/time-zone.js';
import styles from './plot.module.css';

/** The options of a chart, in the current colours. */
export type PlotOptions = (colour: ColourOf) => Omit<UPlot.Options, 'width' | 'height'>;

export interface PlotProps {
  /** Text for screen readers. */
  readonly label: string;
  /** New options redraw the chart: memoize them. */
  readonly options: PlotOptions;
  readonly data: UPlot.AlignedData;
  readonly height: number;
  /** Shown on top of the chart. */
  readonly children?: ReactNode;
}

/** A uPlot chart that follows the width of its container and the theme. */
export function Plot({ label, options, data, height, children }: PlotProps): ReactNode {
  const zone = useTimeZone();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(undefined);
  const newest = useRef(data);
  useEffect(() => {
    newest.current = data;
  });

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const draw = (): void => {
      plot.current?.destroy();
      const chosen = options((name) => resolved(element, name));
      const size = { width: element.clientWidth, height };
      plot.current = new UPlot({ ...chosen, ...size, tzDate: dateOf(zone) }, newest.current, element);
    };
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    // A canvas does not know custom properties, so a change of theme redraws it.
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
  }, [options, height, zone]);

  useEffect(() => plot.current?.setData(data), [data]);

  return (
    <div className={styles['plot']}>
      <div ref={place} role="img" aria-label={label} style={{ height }} />
      {children}
    </div>
  );
}

/** The axis has its marks at whole hours and days of the zone. */
function dateOf(zone: TimeZone): (seconds: number) => Date {
  return (seconds) => (zone === 'UTC' ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000));
}
