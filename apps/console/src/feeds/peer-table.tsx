import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FailingPeer, FailingPeerList } from '../api/answers.js';
import { CardTable, NoValue } from '../parts/card-table.js';
import { formatNumber, visible } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import table from '../parts/wide-table.module.css';
import { texts } from '../texts/feeds.js';
import { recentCallsHref } from './feed-address.js';
import styles from './feeds-view.module.css';
import type { Narrowed } from './feeds-query.js';
import { Mark } from './mark.js';
import { statusWord } from './status-word.js';
import { useFailingPeers } from './use-feeds.js';

const MARKS = { failing: 'bad', flapping: 'poor', over: 'good' } as const;

/** Devices and trunks whose registrations and other requests fail, or fail again and again. */
export function PeerTable({ narrowed }: { readonly narrowed: Narrowed }): ReactNode {
  return (
    <Section title={texts.failingPeers} query={useFailingPeers(narrowed)} about={() => texts.lastHour} height={60}>
      {({ items, more }: FailingPeerList) =>
        items.length === 0 ? (
          <EmptyNote title={texts.noFailingPeers} />
        ) : (
          <>
            <CardTable
              label={texts.failingPeerTable}
              heads={[
                { title: texts.peer },
                { title: texts.state },
                { title: texts.who },
                { title: texts.requests },
                { title: texts.failures, isNumber: true },
                { title: texts.everyFiveMinutes },
              ]}
            >
              {items.map((item) => (
                <Row key={item.peer} item={item} />
              ))}
            </CardTable>
            {more > 0 && <p className={styles['foot']}>{texts.morePeers(more)}</p>}
          </>
        )
      }
    </Section>
  );
}

function Row({ item }: { readonly item: FailingPeer }): ReactNode {
  const { peer, state, methods, statuses, failures, slots } = item;
  const who = whoWords(item);
  return (
    <tr>
      <th scope="row">
        <Link href={recentCallsHref({ address: peer })}>{peer}</Link>
      </th>
      <td>
        <Mark state={MARKS[state]}>{texts.peerStates[state]}</Mark>
      </td>
      {who === '' ? <NoValue /> : <td>{who}</td>}
      <td>
        {methods.join(', ')} ({statuses.map(statusWord).join(', ')})
      </td>
      <td className={table['number']}>{formatNumber(failures)}</td>
      <td>
        <Bars slots={slots} />
      </td>
    </tr>
  );
}

/** Empty if it is not known. */
function whoWords({ trunk, userAgent }: FailingPeer): string {
  const words = [
    ...(trunk === null ? [] : [texts.trunk(visible(trunk))]),
    ...(userAgent === null ? [] : [visible(userAgent)]),
  ];
  return words.join(', ');
}

const WIDTH = 7;
const HEIGHT = 18;

/** A bar for each five minutes of the hour; the numbers are read to those who do not see it. */
function Bars({ slots }: { readonly slots: readonly number[] }): ReactNode {
  const most = Math.max(1, ...slots);
  return (
    <svg
      width={slots.length * WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={texts.slotNumbers(slots.map(formatNumber).join(', '))}
    >
      {slots.map((failures, slot) => {
        const height = failures === 0 ? 1 : Math.max(3, (failures / most) * HEIGHT);
        // The place is what a bar is.
        const key = slot;
        return (
          <rect
            key={key}
            x={slot * WIDTH}
            y={HEIGHT - height}
            width={WIDTH - 2}
            height={height}
            fill={failures === 0 ? 'var(--muted)' : 'var(--bad)'}
          />
        );
      })}
    </svg>
  );
}
