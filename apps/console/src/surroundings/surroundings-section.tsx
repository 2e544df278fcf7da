import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Call, CallSurroundings, SurroundingCalls, TroubledCalls } from '../api/answers.js';
import { callSegment } from '../api/call-segment.js';
import { VerdictShape } from '../parts/badges.js';
import { formatShare, visible } from '../parts/format.js';
import { Section } from '../parts/section.js';
import { WideTable } from '../parts/wide-table.js';
import { addressText } from '../parts/time/period.js';
import { useServices } from '../services/services.js';
import { texts as qualityTexts } from '../texts/quality.js';
import { texts } from '../texts/surroundings.js';
import styles from './surroundings.module.css';
import { judgedSurroundings, troubledShare, surroundingsVerdict, type Judged } from './surroundings.js';

/** Was it only this call? Calls with the same trunk, site, access point, device or front end, in its hour and usually. */
export function SurroundingsSection({
  call,
}: {
  readonly call: Pick<Call, 'callId' | 'state' | 'verdict'>;
}): ReactNode {
  const { api } = useServices();
  const { callId, state, verdict } = call;
  const query = useQuery({
    // Not with each report of a call in progress.
    queryKey: ['surroundings', callId, state, verdict],
    queryFn: ({ signal }) => api.get<CallSurroundings>(`/api/calls/${callSegment(callId)}/surroundings`, {}, signal),
    placeholderData: keepPreviousData,
  });
  // Of an uploaded call, nothing is counted.
  if (query.data?.items.length === 0) return null;
  return (
    <Section title={texts.title} query={query} height={120}>
      {(data) => <Answer rows={judgedSurroundings(data.items)} />}
    </Section>
  );
}

function Answer({ rows }: { readonly rows: readonly Judged[] }): ReactNode {
  const worse = rows.filter(({ isMore }) => isMore === true).map(surroundingName);
  const verdict = surroundingsVerdict(rows);
  return (
    <>
      <p className={styles['answer']} data-level={verdict === 'other' ? 'bad' : undefined}>
        {verdict === 'other' && <VerdictShape verdict="bad" />}
        {verdict === 'other' ? texts.other(worse.join(', ')) : texts[verdict]}
      </p>
      <WideTable label={texts.table}>
        <thead>
          <tr>
            {[texts.callsWith, texts.hour, texts.usually].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.dimension} ${row.value}`}>
              <th scope="row">{surroundingName(row)}</th>
              <td>
                <Link href={`/calls?${addressText(Object.entries(row.search))}`}>{countWords(row, row.hour)}</Link>
              </td>
              <td>{countWords(row, row.usual)}</td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </>
  );
}

function surroundingName({ dimension, value }: SurroundingCalls): string {
  return texts.named(qualityTexts.dimensions[dimension].one, visible(value));
}

function countWords({ problem }: SurroundingCalls, counts: TroubledCalls): string {
  if (counts.calls === 0) return texts.noCalls;
  return texts.counts[problem](counts.bad, counts.calls, formatShare(troubledShare(counts)));
}
