import type { ReactNode } from 'react';
import type { CallStream, Codec, Endpoint } from '../api/answers.js';
import { VerdictBadge } from '../parts/badges.js';
import { nameOf, formatBandwidth } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time.js';
import { withPort } from './party-facts.js';
import styles from './call-view.module.css';

/** The addresses, codecs and bandwidth of the media. */
export function StreamsSection({ streams }: { readonly streams: readonly CallStream[] }): ReactNode {
  if (streams.length === 0) return null;
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="streams">
      <h2 id="streams">Streams</h2>
      <ScrollRegion label="Table of streams">
        <table className={styles['table']}>
          <thead>
            <tr>
              {['Medium', 'From', 'To', 'Codecs', 'Bandwidth', 'Time', 'Verdict'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {streams.map((stream) => (
              <Row
                key={`${stream.mediaType} ${stream.from?.uri} ${stream.to?.uri} ${stream.startedAt}`}
                stream={stream}
              />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function Row({ stream }: { readonly stream: CallStream }): ReactNode {
  const { mediaType, protocol, from, to, codecs, bandwidth, startedAt, endedAt, state, verdict } = stream;
  return (
    <tr>
      <td>
        {mediaType ?? 'unknown'}
        <div className="muted">{[state, protocol].filter(Boolean).join(', ')}</div>
      </td>
      <td>
        <Place endpoint={from} />
      </td>
      <td>
        <Place endpoint={to} />
      </td>
      <td>{codecs.map(shownCodec).join(', ') || '–'}</td>
      <td>
        {bandwidth?.average === undefined ? '–' : formatBandwidth(bandwidth.average)}
        {bandwidth?.maximum !== undefined && <div className="muted">up to {formatBandwidth(bandwidth.maximum)}</div>}
      </td>
      <td>
        <Time at={startedAt} />
        {endedAt !== null && (
          <div className="muted">
            to <Time at={endedAt} />
          </div>
        )}
      </td>
      <td>
        <VerdictBadge verdict={verdict} />
      </td>
    </tr>
  );
}

function Place({ endpoint }: { readonly endpoint: Endpoint | null }): ReactNode {
  if (endpoint === null) return '–';
  const { uri, ip, port, relay, relayPort, reflexiveIp, reflexivePort, connection } = endpoint;
  const lines = [
    withPort(ip, port),
    reflexiveIp === undefined ? undefined : `public ${withPort(reflexiveIp, reflexivePort)}`,
    relay === undefined ? undefined : `via relay ${withPort(relay, relayPort)}`,
    connection,
  ].filter((line) => line !== undefined);
  return (
    <>
      {nameOf(uri) || 'unknown'}
      {lines.map((line) => (
        <div key={line} className="muted">
          {line}
        </div>
      ))}
    </>
  );
}

function shownCodec({ name, low, high }: Codec): string {
  const widths = [low, high]
    .filter((width) => width !== undefined && width > 0)
    .map((width) => formatBandwidth(width ?? 0));
  return widths.length === 0 ? name : `${name} (${widths.join(' to ')})`;
}
