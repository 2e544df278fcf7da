import type { CSSProperties, ReactNode } from 'react';
import styles from './card-table.module.css';
import { ScrollRegion } from './scroll-region.js';
import wide from './wide-table.module.css';

/** The head of a column, with the alignment of numbers or without. */
export interface CardHead {
  readonly title: string;
  readonly isNumber?: boolean;
}

interface CardTableProps {
  readonly label: string;
  readonly heads: readonly CardHead[];
  /** Rows, with a cell for each head. */
  readonly children: ReactNode;
}

/** A table of which each row is a card on a phone, with the heads beside its values. */
export function CardTable({ label, heads, children }: CardTableProps): ReactNode {
  return (
    <ScrollRegion label={label}>
      <table className={`${wide['table']} ${styles['cards']}`} style={labels(heads)}>
        <thead>
          <tr>
            {heads.map(({ title, isNumber = false }) => (
              <th key={title} className={isNumber ? wide['number'] : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  );
}

/** A cell without a value, which the card on a phone leaves out. */
export function NoValue(): ReactNode {
  return (
    <td className={`${wide['number']} ${styles['nothing']}`}>
      <span className="muted">–</span>
    </td>
  );
}

/** Custom properties with the heads as strings of CSS, which shows them before the cells. React's style type has none. */
function labels(heads: readonly CardHead[]): CSSProperties {
  return Object.fromEntries(heads.map(({ title }, index) => [`--head-${index + 1}`, JSON.stringify(title)]));
}
