import type { AlertPreview } from '../api/answers.js';
import type { ReactNode } from 'react';
import { CardTable } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';

import { texts } from '../texts/alerts.js';
import { scopeWords, measureUnit, valueWords, type Measure } from './measures.js';

interface PreviewResultProps {
  readonly preview: AlertPreview;
  readonly measure: Measure;
}

/** The alerts that a rule would have raised. */
export function PreviewResult({ preview: { items, more }, measure }: PreviewResultProps): ReactNode {
  if (items.length === 0) return <p>{texts.wouldNotFire}</p>;
  return (
    <>
      <p>{texts.wouldFire(items.length + more)}</p>
      <CardTable
        label={texts.preview}
        heads={[
          { title: texts.scope },
          { title: texts.value, isNumber: true },
          { title: measure === 'silentFeed' ? texts.records : texts.calls, isNumber: true },
          { title: texts.from },
          { title: texts.until },
        ]}
      >
        {items.map(({ scope, value, calls, startsAt, endsAt }) => (
          <tr key={`${startsAt} ${JSON.stringify(scope)}`}>
            <th scope="row" dir="auto">
              {scopeWords(scope)}
            </th>
            <td className={table['number']}>{valueWords(measureUnit(measure), value)}</td>
            <td className={table['number']}>{formatNumber(calls)}</td>
            <td>
              <Time at={startsAt} />
            </td>
            <td>{endsAt === null ? texts.stillFiring : <Time at={endsAt} />}</td>
          </tr>
        ))}
      </CardTable>
      {more > 0 && <p className="muted">{texts.olderNotListed(more)}</p>}
    </>
  );
}
