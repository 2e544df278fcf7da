import { useMemo, type ReactNode } from 'react';
import { DIMENSIONS } from '../api/catalogue.js';
import type { Dimension, StreamStatistics } from '../api/answers.js';
import fields from '../parts/field.module.css';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { heatMap, type HeatMap } from './heat-map.js';
import styles from './heat.module.css';
import { HeatTable } from './heat-table.js';
import { dimensionOf, wordsFor } from './dimensions.js';
import type { Timeframe } from './timeframe.js';
import { useStreams } from './use-statistics.js';
import { texts } from '../texts/quality.js';

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
      title={texts.heat}
      query={query}
      height={320}
      tools={
        <label className={fields['label']}>
          <span className="unseen">{texts.rows}</span>
          <select className="field" value={by} onChange={(event) => onChoose(dimensionOf(event.target.value) ?? by)}>
            {DIMENSIONS.map((value) => (
              <option key={value} value={value}>
                {texts.by(wordsFor(value))}
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
  if (map.rows.length === 0) return <EmptyNote title={texts.noCalls} />;
  return (
    <>
      <HeatTable map={map} by={by} bucketSeconds={answer.bucketSeconds} />
      <p className={styles['foot']}>{footOf(map, by)}</p>
    </>
  );
}

function footOf({ rows, leftOut }: HeatMap, by: Dimension): string {
  const isWithoutSites = by === 'site' && rows.every(({ value }) => value === null);
  return [
    texts.legend,
    ...(leftOut > 0 ? [texts.leftOut(leftOut, wordsFor(by))] : []),
    ...(isWithoutSites ? [texts.noSites] : []),
  ].join(' ');
}
