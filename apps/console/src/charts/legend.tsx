import type { CSSProperties, ReactNode } from 'react';
import styles from './legend.module.css';

export interface LegendLine {
  readonly label: string;
  /** Custom property of the theme. */
  readonly colour: string;
  readonly isDashed?: boolean;
  /** Beside the label. */
  readonly about?: ReactNode;
}

interface LegendProps {
  readonly lines: readonly LegendLine[];
  /** Below each other. */
  readonly isColumn?: boolean;
}

/** What the lines of a chart are. */
export function Legend({ lines, isColumn = false }: LegendProps): ReactNode {
  return (
    <ul className={isColumn ? `${styles['legend']} ${styles['column']}` : styles['legend']}>
      {lines.map(({ label, colour, isDashed = false, about }) => (
        <li key={label} className={isDashed ? styles['dashed'] : undefined} style={lineColour(colour)}>
          {label}
          {about !== undefined && <> {about}</>}
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
