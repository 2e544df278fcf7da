import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SuspectList } from '../../api/answers.js';
import { EmptyNote } from '../../parts/notes.js';
import { Section } from '../../parts/section.js';
import { texts } from '../../texts/suspects.js';
import { SuspectItem } from './suspect-item.js';
import { overallWords } from './suspect-words.js';
import styles from './suspects.module.css';

/** More are shown on request: the first ones explain most. */
const FIRST = 4;
/** Of an answer without a suspect up to one with two: what is below hardly moves. */
const HEIGHT = 150;

/** What bad and failed calls of the period have in common, as one list over all dimensions. */
export function SuspectsSection({ query }: { readonly query: UseQueryResult<SuspectList> }): ReactNode {
  return (
    <Section title={texts.title} query={query} about={() => texts.about} height={HEIGHT}>
      {(answer) => <Answer answer={answer} />}
    </Section>
  );
}

function Answer({ answer }: { readonly answer: SuspectList }): ReactNode {
  return (
    <>
      {answer.items.length === 0 ? <Nothing answer={answer} /> : <Suspects answer={answer} />}
      <p className={styles['foot']}>{overallWords(answer).join(' ')}</p>
    </>
  );
}

function Nothing({ answer: { tested } }: { readonly answer: SuspectList }): ReactNode {
  return <EmptyNote title={texts.nothing}>{tested === 0 ? texts.tooFew : texts.nothingAdvice(tested)}</EmptyNote>;
}

function Suspects({ answer: { items, bucketSeconds } }: { readonly answer: SuspectList }): ReactNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, FIRST);
  const more = items.length - shown.length;
  return (
    <>
      <ol className={styles['list']}>
        {shown.map((suspect) => (
          <SuspectItem
            key={`${suspect.problem} ${suspect.dimension} ${suspect.value}`}
            suspect={suspect}
            bucketSeconds={bucketSeconds}
          />
        ))}
      </ol>
      {more > 0 && (
        <p className={styles['more']}>
          <button className="button" type="button" onClick={() => setWhole(true)}>
            {texts.showAll(more)}
          </button>
        </p>
      )}
    </>
  );
}
