import type { ReactNode } from 'react';
import type { Call, CallQuality } from '../api/answers.js';
import { VerdictBadge } from '../parts/badges.js';
import { nameOf } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { EmptyNote } from '../parts/notes.js';
import styles from './call-view.module.css';

const WITHHELD = { tooFewPackets: 'too few packets to judge', nothingToJudge: 'nothing to judge by' };

/** Each direction of each medium with its metrics, those with thresholds first, the exceeded one on top. */
export function QualitySection({ call }: { readonly call: Call }): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="quality">
      <h2 id="quality">Quality</h2>
      {call.quality.length === 0 ? (
        <EmptyNote title="No report of quality yet.">
          Endpoints send them when a call ends, some while it goes on.
        </EmptyNote>
      ) : (
        <div className={styles['streams']}>
          {call.quality.map((quality) => (
            <Direction
              key={`${quality.mediaType} ${quality.from?.uri} ${quality.to?.uri} ${quality.reportedAt}`}
              quality={quality}
            />
          ))}
        </div>
      )}
    </section>
  );
}

function Direction({ quality }: { readonly quality: CallQuality }): ReactNode {
  const { mediaType, from, to, final, verdict, senderVerdict, withheld, connectivity, cause } = quality;
  const isRelayed = from?.relay !== undefined || to?.relay !== undefined;
  const notes = [
    final ? undefined : 'averages so far',
    connectivity === null ? undefined : `connected ${isRelayed ? 'by relay' : connectivity.toLowerCase()}`,
    senderVerdict === 'unknown' ? undefined : `the sender says ${senderVerdict}`,
    withheld === null ? undefined : WITHHELD[withheld],
  ].filter((note) => note !== undefined);
  return (
    <div className={styles['stream']}>
      <h3>
        {mediaType ?? 'media'}: {nameOf(from?.uri) || 'unknown'} → {nameOf(to?.uri) || 'unknown'}
        <VerdictBadge verdict={verdict} />
      </h3>
      {notes.length > 0 && <p className="muted">{notes.join(', ')}</p>}
      <table className={styles['table']}>
        <thead>
          <tr>
            <th>Metric</th>
            <th className={styles['number']}>Value</th>
            <th className={styles['number']}>Threshold</th>
          </tr>
        </thead>
        <tbody>
          {sorted(quality).map(([name, { value, limit }]) => {
            const broke = cause?.metric === name;
            const threshold = broke ? cause.threshold : limit;
            return (
              <tr key={name} className={broke ? styles['broke'] : undefined} data-verdict={verdict}>
                <td title={name}>
                  {metricName(name)}
                  {broke && <span className="unseen"> (made it {verdict})</span>}
                </td>
                <td className={styles['number']}>{formatMetric(name, value)}</td>
                <td className={styles['number']}>{threshold === undefined ? '' : formatMetric(name, threshold)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function sorted({ metrics, cause }: CallQuality): [string, CallQuality['metrics'][string]][] {
  const rank = (name: string): number => (name === cause?.metric ? 0 : metrics[name]?.limit === undefined ? 2 : 1);
  return Object.entries(metrics).toSorted(([a], [b]) => rank(a) - rank(b));
}
