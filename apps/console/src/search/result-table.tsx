import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call } from '../api/answers.js';
import { callHref } from '../call/call-address.js';
import { titleOf } from '../call/call-title.js';
import { rowOf } from '../live/call-row.js';
import { StateBadge, CallVerdict } from '../parts/badges.js';
import { formatDuration } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time.js';
import { COLUMNS, type Column } from './columns.js';
import styles from './search-view.module.css';

interface ResultTableProps {
  readonly calls: readonly Call[];
  readonly columns: readonly Column[];
  /** The query of this page of results. */
  readonly list: string;
  /** Whether these are the results of the previous filter. */
  readonly isOld: boolean;
}

export function ResultTable({ calls, columns, list, isOld }: ResultTableProps): ReactNode {
  return (
    <ScrollRegion label="Calls found">
      <table className={`${styles['table']} ${isOld ? styles['old'] : ''}`}>
        <thead>
          <tr>
            <th>Began</th>
            <th>Who</th>
            {COLUMNS.filter(({ column }) => columns.includes(column)).map(({ column, title }) => (
              <th key={column}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr key={call.callId}>
              <td className={styles['when']}>
                <Time at={call.beganAt} />
              </td>
              <td className={styles['who']} title={titleOf(call)}>
                <Link href={callHref(call.callId, list)}>{titleOf(call)}</Link>
              </td>
              {columns.map((column) => {
                const cell = cellOf(call, column);
                return (
                  <td key={column} title={typeof cell === 'string' ? cell : undefined}>
                    {cell}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function cellOf(call: Call, column: Column): ReactNode {
  switch (column) {
    case 'verdict':
      return <CallVerdict verdict={call.verdict} coverage={call.coverage} />;
    case 'state':
      return <StateBadge state={call.state} />;
    case 'trouble':
      return rowOf(call).trouble;
    case 'media':
      return rowOf(call).media;
    case 'frontEnds':
      return call.frontEnds.join(', ');
    case 'lasted':
      return call.duration === null ? '' : formatDuration(call.duration.seconds);
    case 'callId':
      return <code>{call.callId}</code>;
    case 'conversationId':
      return call.conversationId;
    case 'addresses':
      return [...new Set(call.streams.flatMap(({ from, to }) => [from?.ip ?? [], to?.ip ?? []].flat()))].join(', ');
    default:
      return null;
  }
}
