import type { ReactNode } from 'react';
import { formatCount, formatNumber } from '../parts/format.js';
import { Time } from '../parts/time.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import { scopeWords, unitOf, valueWords, type Measure } from './measures.js';
import type { AlertPreview } from './use-alerts.js';

interface PreviewResultProps {
  readonly preview: AlertPreview;
  readonly measure: Measure;
}

/** The alerts that a rule would have raised. */
export function PreviewResult({ preview: { items, more }, measure }: PreviewResultProps): ReactNode {
  if (items.length === 0) return <p>This rule would not have fired in the last week.</p>;
  return (
    <>
      <p>This rule would have fired {formatCount(items.length + more, 'time')} in the last week.</p>
      <WideTable label="Preview">
        <thead>
          <tr>
            <th>Scope</th>
            <th className={table['number']}>Value</th>
            <th className={table['number']}>{measure === 'silentFeed' ? 'Records' : 'Calls'}</th>
            <th>From</th>
            <th>Until</th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ scope, value, calls, startsAt, endsAt }) => (
            <tr key={`${startsAt} ${JSON.stringify(scope)}`}>
              <th scope="row" dir="auto">
                {scopeWords(scope)}
              </th>
              <td className={table['number']}>{valueWords(unitOf(measure), value)}</td>
              <td className={table['number']}>{formatNumber(calls)}</td>
              <td>
                <Time at={startsAt} />
              </td>
              <td>{endsAt === null ? 'still firing' : <Time at={endsAt} />}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      {more > 0 && <p className="muted">{formatCount(more, 'older alert')} not listed.</p>}
    </>
  );
}
