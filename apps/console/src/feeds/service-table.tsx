import type { ReactNode } from 'react';
import type { FeedPartition, RunningService, RunningServices } from '../api/answers.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import { texts } from '../texts/feeds.js';
import { countName, serviceHealth, feedLag, lossesOf, type ServiceHealth } from './feed-health.js';
import styles from './feeds-view.module.css';
import { Mark } from './mark.js';
import { useRunningServices } from './use-feeds.js';

/** The running services, and how far the calls are behind the feed. */
export function ServiceTable(): ReactNode {
  const query = useRunningServices();
  return (
    <Section title={texts.services} query={query} about={lagAbout}>
      {({ items, partitions }) =>
        items.length === 0 ? (
          <EmptyNote title={texts.noServices} />
        ) : (
          <WideTable label={texts.serviceTable}>
            <thead>
              <tr>
                <th>{texts.service}</th>
                <th>{texts.state}</th>
                <th>{texts.host}</th>
                <th>{texts.version}</th>
                <th className={table['number']}>{texts.since}</th>
                <th className={table['number']}>{texts.lastSeen}</th>
                <th>{texts.counters}</th>
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

function lagAbout({ partitions, losses }: RunningServices): ReactNode {
  return (
    <>
      <Lag partitions={partitions} />
      {lossesOf(losses).map((words) => (
        <span key={words}>
          {' '}
          <Mark state="bad">{words}</Mark>
        </span>
      ))}
    </>
  );
}

function Lag({ partitions }: { readonly partitions: readonly FeedPartition[] | null }): ReactNode {
  if (partitions === null) return <Mark state="bad">{texts.databaseDown}</Mark>;
  const { state, words, messages } = feedLag(partitions);
  return (
    <>
      <Mark state={state}>{words}</Mark>
      {messages > 0 && `, ${texts.pending(messages)}`}
    </>
  );
}

interface RowProps {
  readonly service: RunningService;
  readonly partitions: readonly FeedPartition[] | null;
}

function Row({ service, partitions }: RowProps): ReactNode {
  const { service: name, replica, host, version, since, lastSeen, counts } = service;
  const { state, words } = healthWithLag(service, partitions);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Mark state={state}>{words}</Mark>
      </td>
      <td title={texts.replica(replica)}>{host}</td>
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
function healthWithLag(service: RunningService, partitions: readonly FeedPartition[] | null): ServiceHealth {
  const health = serviceHealth(service, formatNumber);
  const own = partitions?.filter(({ replica }) => replica === service.replica) ?? [];
  if (health.state !== 'good' || own.length === 0) return health;
  return { ...feedLag(own), words: texts.partitions(feedLag(own).words, own.length) };
}
