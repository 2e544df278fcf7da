import type { ReactNode } from 'react';
import type { CallStream, Codec, Endpoint } from '../api/answers.js';
import { VerdictBadge } from '../parts/badges.js';
import { filled } from '../parts/filled.js';
import { shownSipAddress, formatBandwidth } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time/time.js';
import { withPort } from './party-facts.js';
import styles from './call-view.module.css';
import { texts } from '../texts/call.js';
import { texts as partTexts } from '../texts/parts.js';

/** The addresses, codecs and bandwidth of the media. */
export function StreamsSection({ streams }: { readonly streams: readonly CallStream[] }): ReactNode {
  if (streams.length === 0) return null;
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="streams">
      <h2 id="streams">{texts.streams}</h2>
      <ScrollRegion label={texts.streamTable}>
        <table className={styles['table']}>
          <thead>
            <tr>
              {[texts.medium, texts.from, texts.to, texts.codecs, texts.bandwidth, texts.time, texts.verdict].map(
                (name) => (
                  <th key={name}>{name}</th>
                ),
              )}
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
        {mediaType ?? texts.unknown}
        <div className="muted">{[partTexts.states[state], protocol].filter(Boolean).join(', ')}</div>
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
        {bandwidth?.maximum !== undefined && (
          <div className="muted">{texts.upTo(formatBandwidth(bandwidth.maximum))}</div>
        )}
      </td>
      <td>
        <Time at={startedAt} />
        {endedAt !== null && <div className="muted">{filled(texts.until, <Time at={endedAt} />)}</div>}
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
    reflexiveIp === undefined ? undefined : texts.publicAddress(withPort(reflexiveIp, reflexivePort)),
    relay === undefined ? undefined : texts.viaRelay(withPort(relay, relayPort)),
    connection,
  ].filter((line) => line !== undefined);
  return (
    <>
      {shownSipAddress(uri) || texts.unknown}
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
  const [first, second] = widths;
  if (first === undefined) return name;
  return `${name} (${second === undefined ? first : texts.range(first, second)})`;
}
