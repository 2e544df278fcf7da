import type { CSSProperties, ReactNode } from 'react';
import styles from './legend.module.css';

export interface LegendLine {
  readonly label: string;
  /** Custom property of the theme. */
  readonly colour: string;
  readonly isDashed?: boolean;
}

/** What the lines of a chart are. */
export function Legend({ lines }: { readonly lines: readonly LegendLine[] }): ReactNode {
  return (
    <ul className={styles['legend']}>
      {lines.map(({ label, colour, isDashed = false }) => (
        <li key={label} className={isDashed ? styles['dashed'] : undefined} style={lineColour(colour)}>
          {label}
        </li>
      ))}
    </ul>
  );
}

/** React's style type does not include custom properties. */
function lineColour(name: string): CSSProperties {
  const values: Readonly<Record<`--${string}`, string>> = { '--line-colour': `var(${name})` };
  return { ...values };
}
