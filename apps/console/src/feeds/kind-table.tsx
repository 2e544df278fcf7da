import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FrontEndHealth } from '../api/answers.js';
import { CardTable } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import table from '../parts/wide-table.module.css';
import { texts } from '../texts/feeds.js';

/** Which kinds of records it sends: without quality reports, for example, no call has a verdict. */
export function KindTable({ query }: { readonly query: UseQueryResult<FrontEndHealth> }): ReactNode {
  return (
    <Section
      title={texts.recordsByKind}
      query={query}
      about={({ newestCalls }) => texts.ofNewestCalls(newestCalls.calls)}
      height={60}
    >
      {({ newestCalls: { kinds } }) =>
        kinds.length === 0 ? (
          <EmptyNote title={texts.noCallsYet} />
        ) : (
          <CardTable label={texts.kindTable} heads={[{ title: texts.kind }, { title: texts.records, isNumber: true }]}>
            {kinds.map(({ kind, records }) => (
              <tr key={kind}>
                <th scope="row">{texts.kinds[kind]}</th>
                <td className={table['number']}>{formatNumber(records)}</td>
              </tr>
            ))}
          </CardTable>
        )
      }
    </Section>
  );
}
