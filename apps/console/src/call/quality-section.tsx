import type { ReactNode } from 'react';
import type { Call, CallQuality, Metric } from '../api/answers.js';
import { VerdictBadge, VerdictShape } from '../parts/badges.js';
import { shownSipAddress } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { EmptyNote } from '../parts/notes.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { measuredMedia, metricRows, shownThreshold, type MeasuredMedium, type MetricRow } from './quality-table.js';
import styles from './quality-section.module.css';
import view from './call-view.module.css';
import { texts } from '../texts/call.js';
import { texts as partTexts } from '../texts/parts.js';

/** Each medium with both directions side by side: every metric beside its threshold, MOS first, then the worst. */
export function QualitySection({ call }: { readonly call: Call }): ReactNode {
  const media = measuredMedia(call.quality, call.parties[0]);
  return (
    <section className={`card ${view['section']}`} aria-labelledby="quality">
      <h2 id="quality">{texts.quality}</h2>
      {media.length === 0 ? (
        <EmptyNote title={texts.noReport}>{texts.noReportReason}</EmptyNote>
      ) : (
        <div className={styles['media']}>
          {media.map((medium) => (
            <Medium key={mediumKey(medium)} medium={medium} />
          ))}
        </div>
      )}
    </section>
  );
}

function mediumKey({ mediaType, there: { from, to, reportedAt } }: MeasuredMedium): string {
  return [mediaType, from?.id ?? from?.uri, to?.id ?? to?.uri, reportedAt].join(' ');
}

function Medium({ medium }: { readonly medium: MeasuredMedium }): ReactNode {
  const { mediaType, there, back } = medium;
  const { judged, others } = metricRows(medium);
  const name = mediaType ?? texts.unknownMedium;
  return (
    <div className={styles['medium']}>
      <ScrollRegion label={texts.qualityOf(name)}>
        <table className={styles['table']}>
          <Columns />
          <thead>
            <tr>
              <th scope="col">{name}</th>
              <th scope="col">
                <Direction quality={there} />
              </th>
              <th scope="col">{back === undefined ? <Unmeasured reverse={there} /> : <Direction quality={back} />}</th>
            </tr>
          </thead>
          <Rows rows={judged} />
        </table>
        {others.length > 0 && (
          <details className={styles['others']}>
            <summary>{texts.withoutThreshold(others.length)}</summary>
            <table className={styles['table']}>
              <Columns />
              <Rows rows={others} />
            </table>
          </details>
        )}
      </ScrollRegion>
    </div>
  );
}

/** The columns of both tables of a medium are of the same width. */
function Columns(): ReactNode {
  return (
    <colgroup>
      <col className={styles['name']} />
      <col />
      <col />
    </colgroup>
  );
}

function Direction({ quality }: { readonly quality: CallQuality }): ReactNode {
  const { final, verdict, senderVerdict, withheld, connectivity, from, to } = quality;
  const isRelayed = from?.relay !== undefined || to?.relay !== undefined;
  const notes = [
    final ? undefined : texts.averageSoFar,
    isRelayed ? texts.relayed : connectivity?.toLowerCase() === 'direct' ? texts.direct : connectivity?.toLowerCase(),
    senderVerdict === 'unknown' || senderVerdict === verdict
      ? undefined
      : texts.senderSays(partTexts.verdicts[senderVerdict]),
    withheld === null ? undefined : texts.withheld[withheld],
  ].filter((note) => note !== undefined);
  return (
    <>
      <div className={styles['direction']}>
        <bdi>{endName(from)}</bdi> → <bdi>{endName(to)}</bdi> <VerdictBadge verdict={verdict} />
      </div>
      {notes.length > 0 && <div className={styles['notes']}>{notes.join(', ')}</div>}
    </>
  );
}

function Unmeasured({ reverse: { from, to } }: { readonly reverse: CallQuality }): ReactNode {
  return (
    <>
      <div className={styles['direction']}>
        <bdi>{endName(to)}</bdi> → <bdi>{endName(from)}</bdi>
      </div>
      <div className={styles['notes']}>{texts.notMeasured}</div>
    </>
  );
}

function endName(end: CallQuality['from']): string {
  return shownSipAddress(end?.uri) || (end?.ip ?? texts.unknown);
}

function Rows({ rows }: { readonly rows: readonly MetricRow[] }): ReactNode {
  return (
    <tbody>
      {rows.map(({ name, there, back }) => (
        <tr key={name}>
          <th scope="row" title={name}>
            {metricName(name)}
          </th>
          <Value name={name} metric={there} />
          <Value name={name} metric={back} />
        </tr>
      ))}
    </tbody>
  );
}

/** The value, its level by shape, word and colour, and the threshold that decides it. */
function Value({ name, metric }: { readonly name: string; readonly metric: Metric | undefined }): ReactNode {
  if (metric === undefined) return <td className="muted">–</td>;
  const { value, unit, level = 'unjudged' } = metric;
  return (
    <td data-level={level}>
      <div className={styles['value']}>
        <span className={typeof value === 'number' ? styles['number'] : styles['text']}>
          {formatMetric(name, value, unit)}
        </span>
        <Level level={level} />
        <Threshold name={name} metric={metric} />
      </div>
    </td>
  );
}

/** Few of the metrics are bad, so a good one has its word only for screen readers. */
function Level({ level }: { readonly level: NonNullable<Metric['level']> }): ReactNode {
  if (level === 'unjudged') return null;
  if (level !== 'good') return <VerdictBadge verdict={level} />;
  return (
    <span className={styles['good']}>
      <VerdictShape verdict="good" />
      <span className="unseen">{partTexts.verdicts.good}</span>
    </span>
  );
}

function Threshold({ name, metric }: { readonly name: string; readonly metric: Metric }): ReactNode {
  const threshold = shownThreshold(name, metric);
  if (threshold === undefined) return null;
  const { sign, value, kind, isOfSender } = threshold;
  const words = texts.thresholds[isOfSender ? 'sender' : kind];
  return <span className={styles['threshold']}>{words(`${sign} ${formatMetric(name, value, metric.unit)}`)}</span>;
}
