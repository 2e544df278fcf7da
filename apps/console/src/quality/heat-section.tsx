import { useMemo, type ReactNode } from 'react';
import type { Dimension, StreamStatistics } from '../api/answers.js';
import fields from '../parts/field.module.css';
import { formatCount } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { heatMap, type HeatMap } from './heat-map.js';
import styles from './heat.module.css';
import { HeatTable } from './heat-table.js';
import { dimensionOf, DIMENSIONS, wordsFor } from './quality-query.js';
import type { Timeframe } from './timeframe.js';
import { useStreams } from './use-statistics.js';

const ROWS = 20;

interface HeatSectionProps {
  readonly frame: Timeframe;
  readonly by: Dimension;
  readonly onChoose: (by: Dimension) => void;
}

/** Where and when streams were bad. */
export function HeatSection({ frame, by, onChoose }: HeatSectionProps): ReactNode {
  const query = useStreams({ frame, bucketSeconds: frame.coarse, by, limit: ROWS });
  return (
    <Section
      title="Bad streams by place and time"
      query={query}
      height={320}
      tools={
        <label className={`${fields['label']} ${styles['choice']}`}>
          <span className="unseen">Rows</span>
          <select className="field" value={by} onChange={(event) => onChoose(dimensionOf(event.target.value) ?? by)}>
            {DIMENSIONS.map(({ by: value, many }) => (
              <option key={value} value={value}>
                by {many}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {(answer) => <Heat answer={answer} />}
    </Section>
  );
}

function Heat({ answer }: { readonly answer: StreamStatistics }): ReactNode {
  const map = useMemo(() => heatMap(answer, ROWS), [answer]);
  // The dimension of the answer: another one may have been chosen meanwhile.
  const by = answer.by ?? 'subnet';
  if (map.rows.length === 0) return <EmptyNote title="No calls in this period." />;
  return (
    <>
      <HeatTable map={map} by={by} bucketSeconds={answer.bucketSeconds} />
      <p className={styles['foot']}>
        {legend} {footOf(map, by)}
      </p>
    </>
  );
}

const legend = 'Darker: more of the streams were bad. Numbers: how many were bad (◆), or poor (▲) where none was bad.';

function footOf({ rows, leftOut }: HeatMap, by: Dimension): string {
  const { one, many } = wordsFor(by);
  const more = leftOut > 0 ? `${formatCount(leftOut, one.toLowerCase(), many)} more, with fewer bad streams. ` : '';
  const isWithoutSites = by === 'site' && rows.every(({ value }) => value === null);
  return `${more}${isWithoutSites ? 'No sites are configured: SITES_FILE maps subnets to sites.' : ''}`;
}
