import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FrontEndHealth } from '../api/answers.js';
import { CardTable } from '../parts/card-table.js';
import { formatDuration } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';
import { texts } from '../texts/feeds.js';

/** When it sent nothing for a quarter of an hour in the last day, the newest first. */
export function GapTable({ query }: { readonly query: UseQueryResult<FrontEndHealth> }): ReactNode {
  return (
    <Section title={texts.gaps} query={query} about={() => texts.gapsAbout} height={60}>
      {({ activity: { gaps } }) =>
        gaps.length === 0 ? (
          <EmptyNote title={texts.noGaps} />
        ) : (
          <CardTable
            label={texts.gapTable}
            heads={[
              { title: texts.gapFrom },
              { title: texts.gapTo, isNumber: true },
              { title: texts.gapLasted, isNumber: true },
            ]}
          >
            {gaps.toReversed().map(({ from, to, seconds }) => (
              <tr key={from}>
                <th scope="row">
                  <Time at={from} />
                </th>
                <td className={table['number']}>{to === null ? texts.lasts : <Time at={to} />}</td>
                <td className={table['number']}>{formatDuration(seconds)}</td>
              </tr>
            ))}
          </CardTable>
        )
      }
    </Section>
  );
}
