import { useEffect, useRef, type ReactNode } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ColourOf } from './looks.js';
import { resolved } from './looks.js';
import styles from './plot.module.css';

/** What a drawing consists of, in the colours of now. */
export type PlotOptions = (colour: ColourOf) => Omit<UPlot.Options, 'width' | 'height'>;

export interface PlotProps {
  /** What a person who does not see it is told. */
  readonly label: string;
  /** Others are another drawing: memoize them. */
  readonly options: PlotOptions;
  readonly data: UPlot.AlignedData;
  readonly height: number;
  /** Laid over the drawing. */
  readonly children?: ReactNode;
}

/** A drawing of uPlot that follows the width of its place and the theme. */
export function Plot({ label, options, data, height, children }: PlotProps): ReactNode {
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
      plot.current = new UPlot({ ...chosen, width: element.clientWidth, height }, newest.current, element);
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
  }, [options, height]);

  useEffect(() => plot.current?.setData(data), [data]);

  return (
    <div className={styles['plot']}>
      <div ref={place} role="img" aria-label={label} style={{ height }} />
      {children}
    </div>
  );
}
