import type { ReactNode } from 'react';
import type { LoadOfValue, TrunkLimit } from '../api/answers.js';
import { NoValue } from '../parts/card-table.js';
import { formatNumber, formatShare } from '../parts/format.js';
import table from '../parts/wide-table.module.css';
import { texts } from '../texts/capacity.js';
import styles from './capacity.module.css';
import { LimitButton } from './limit-dialog.js';

interface LimitCellsProps {
  readonly row: LoadOfValue;
  /** The limits that this user may change; undefined for none. */
  readonly editable: readonly TrunkLimit[] | undefined;
}

/** The limit of a trunk, the share of it that the peak took, and for how long it was exceeded. */
export function LimitCells({ row: { value, peak, limit, minutesAboveLimit }, editable }: LimitCellsProps): ReactNode {
  const number = table['number'];
  const button =
    editable === undefined || value === null ? undefined : (
      <LimitButton trunk={value} limit={editable.find(({ trunk }) => trunk === value)} />
    );
  return (
    <>
      {limit === null && button === undefined ? (
        <NoValue />
      ) : (
        <td className={number}>
          {limit === null ? <span className="muted">–</span> : formatNumber(limit)} {button}
        </td>
      )}
      {limit === null ? (
        <NoValue />
      ) : (
        <td className={number}>
          <Used calls={peak.calls} limit={limit} />
        </td>
      )}
      {minutesAboveLimit === null ? (
        <NoValue />
      ) : (
        <td className={number}>
          <Above minutes={minutesAboveLimit} />
        </td>
      )}
    </>
  );
}

function Used({ calls, limit }: { readonly calls: number; readonly limit: number }): ReactNode {
  const share = formatShare(calls / limit);
  if (calls <= limit) return share;
  return (
    <strong className={styles['over']}>
      <span aria-hidden="true">◆ </span>
      <span className="unseen">{texts.overLimit} </span>
      {share}
    </strong>
  );
}

function Above({ minutes }: { readonly minutes: number }): ReactNode {
  if (minutes === 0) return <span className="muted">{minuteWords(0)}</span>;
  return <strong className={styles['over']}>{minuteWords(minutes)}</strong>;
}

function minuteWords(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return texts.minutes(formatNumber(minutes));
  return texts.hoursAndMinutes(formatNumber(hours), formatNumber(minutes % 60));
}
