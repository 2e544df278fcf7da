import type { ReactNode } from 'react';
import type { FeedPartition, RunningService, RunningServices } from '../api/answers.js';
import { CardTable } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';

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
          <CardTable
            label={texts.serviceTable}
            heads={[
              { title: texts.service },
              { title: texts.state },
              { title: texts.host },
              { title: texts.version },
              { title: texts.since, isNumber: true },
              { title: texts.lastSeen, isNumber: true },
              { title: texts.counters },
            ]}
          >
            {items.map((service) => (
              <Row key={service.replica} service={service} partitions={partitions} />
            ))}
          </CardTable>
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
