import { useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { callHref } from '../parts/call-address.js';
import { StateBadge, CallVerdict } from '../parts/badges.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time/time.js';
import { useServerTime } from '../parts/time/use-server-time.js';
import { useRowLinks } from '../parts/use-row-links.js';
import { texts } from '../texts/search.js';
import { CallPreview } from './call-preview.js';
import { cellText } from './cells.js';
import { COLUMNS, type Column } from './columns.js';
import { PartyNames } from './party-names.js';
import { sharedDomain } from './shared-domain.js';
import { columnsWithSorted, sortDirection, type Sort } from './sorts.js';
import styles from './search-view.module.css';

interface ResultTableProps {
  readonly calls: readonly Call[];
  readonly columns: readonly Column[];
  readonly sort: Sort;
  /** The query of this page of results. */
  readonly list: string;
  /** Whether these are the results of the previous filter. */
  readonly isOld: boolean;
}

/** A page of calls; a click anywhere in a row opens its call. */
export function ResultTable({ calls, columns: chosen, sort, list, isOld }: ResultTableProps): ReactNode {
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowLinks(rows);
  const columns = columnsWithSorted(chosen, sort);
  const domain = sharedDomain(calls);
  return (
    <ScrollRegion label={texts.callsFound}>
      <table className={`${styles['table']} ${isOld ? styles['old'] : ''}`}>
        <thead>
          <tr>
            <th>{texts.started}</th>
            <th>{texts.parties}</th>
            {columns.map((column) => (
              <th key={column} aria-sort={sortDirection(column, sort)}>
                {COLUMNS.find((each) => each.column === column)?.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={rows}>
          {calls.map((call) => (
            <tr key={call.callId}>
              <td className={styles['when']}>
                <Time at={call.beganAt} />
              </td>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the text is that of the link */}
              <td className={styles['who']}>
                <CallPreview call={call}>
                  <Link href={callHref(call.callId, list)}>
                    <PartyNames call={call} domain={domain} />
                  </Link>
                </CallPreview>
              </td>
              {columns.map((column) => (
                <Cell key={column} call={call} column={column} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Cell({ call, column }: { readonly call: Call; readonly column: Column }): ReactNode {
  switch (column) {
    case 'verdict':
      return (
        <td>
          <CallVerdict verdict={call.verdict} coverage={call.coverage} />
        </td>
      );
    case 'state':
      return (
        <td>
          <StateBadge state={call.state} />
        </td>
      );
    case 'ended':
      return (
        <td>
          <Time at={call.endedAt} />
        </td>
      );
    case 'lasted':
      return <Lasted call={call} />;
    case 'callId':
      return (
        <td title={call.callId}>
          <code>{call.callId}</code>
        </td>
      );
    default: {
      const text = cellText(call, column);
      return <td title={text}>{text}</td>;
    }
  }
}

/** Counts while the call runs. */
function Lasted({ call }: { readonly call: Call }): ReactNode {
  const now = useServerTime(isInProgress(call.state));
  return <td>{cellText(call, 'lasted', now)}</td>;
}
