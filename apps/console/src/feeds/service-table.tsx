import type { ReactNode } from 'react';
import type { FeedPartition, RunningService, RunningServices } from '../api/answers.js';
import { formatCount, formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import { countName, healthOf, lagOf, type ServiceHealth } from './feed-health.js';
import styles from './feeds-view.module.css';
import { Mark } from './mark.js';
import { useRunningServices } from './use-feeds.js';

/** The running services, and how far the calls are behind the feed. */
export function ServiceTable(): ReactNode {
  const query = useRunningServices();
  return (
    <Section title="Services" query={query} about={lagAbout}>
      {({ items, partitions }) =>
        items.length === 0 ? (
          <EmptyNote title="No running services." />
        ) : (
          <WideTable label="Table of services">
            <thead>
              <tr>
                <th>Service</th>
                <th>State</th>
                <th>Host</th>
                <th>Version</th>
                <th className={table['number']}>Since</th>
                <th className={table['number']}>Last seen</th>
                <th>Counters</th>
              </tr>
            </thead>
            <tbody>
              {items.map((service) => (
                <Row key={service.replica} service={service} partitions={partitions} />
              ))}
            </tbody>
          </WideTable>
        )
      }
    </Section>
  );
}

function lagAbout({ partitions }: RunningServices): ReactNode {
  return <Lag partitions={partitions} />;
}

function Lag({ partitions }: { readonly partitions: readonly FeedPartition[] | null }): ReactNode {
  if (partitions === null) return <Mark state="bad">the database is not responding</Mark>;
  const { state, words, messages } = lagOf(partitions);
  return (
    <>
      <Mark state={state}>{words}</Mark>
      {messages > 0 && `, ${formatCount(messages, 'message')} pending`}
    </>
  );
}

interface RowProps {
  readonly service: RunningService;
  readonly partitions: readonly FeedPartition[] | null;
}

function Row({ service, partitions }: RowProps): ReactNode {
  const { service: name, replica, host, version, since, lastSeen, counts } = service;
  const { state, words } = stateOf(service, partitions);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Mark state={state}>{words}</Mark>
      </td>
      <td title={`replica ${replica}`}>{host}</td>
      <td>{version}</td>
      <td className={table['number']}>
        <Time at={since} />
      </td>
      <td className={table['number']}>
        <Time at={lastSeen} />
      </td>
      <td>
        <ul className={styles['counts']}>
          {Object.entries(counts).map(([count, value]) => (
            <li key={count}>
              {formatNumber(value)} <span className="muted">{countName(count)}</span>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

/** For an aggregator also with the lag of its partitions. */
function stateOf(service: RunningService, partitions: readonly FeedPartition[] | null): ServiceHealth {
  const health = healthOf(service, formatNumber);
  const own = partitions?.filter(({ replica }) => replica === service.replica) ?? [];
  if (health.state !== 'good' || own.length === 0) return health;
  return { ...lagOf(own), words: `${lagOf(own).words}, ${formatCount(own.length, 'partition')} of the feed` };
}
