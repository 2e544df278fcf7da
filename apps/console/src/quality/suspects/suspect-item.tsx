import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Suspect } from '../../api/answers.js';
import { searchOfSaved } from '../../search/saved-search.js';
import { texts as qualityTexts } from '../../texts/quality.js';
import { texts } from '../../texts/suspects.js';
import { countedWords, namedWords, suspectDetails, suspectSentence } from './suspect-words.js';
import styles from './suspects.module.css';

interface SuspectItemProps {
  readonly suspect: Suspect;
  /** Length of the parts of its time. */
  readonly bucketSeconds: number;
}

/** A suspect as a link to its calls, and below it what is known of it and what it explains. */
export function SuspectItem({ suspect, bucketSeconds }: SuspectItemProps): ReactNode {
  const { dimension, same, explains, onePerson, search } = suspect;
  return (
    <li className={styles['item']}>
      <span className={styles['dimension']}>{qualityTexts.dimensions[dimension].one}</span>
      <div className={styles['about']}>
        <Link className={styles['sentence'] ?? ''} href={`/calls${searchOfSaved(search)}`}>
          {suspectSentence(suspect)}
        </Link>
        <Share suspect={suspect} />
        <p className="muted">{suspectDetails(suspect, bucketSeconds).join(' ')}</p>
        {onePerson && <p role="note">{texts.onePerson}</p>}
        {same.length > 0 && <p className="muted">{texts.same(same.map(namedWords).join(', '))}</p>}
        {explains.length > 0 && (
          <div className="muted">
            {texts.explains}
            <ul className={styles['explained']}>
              {explains.map((each) => (
                <li key={`${each.problem} ${each.dimension} ${each.value}`}>{countedWords(each)}</li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </li>
  );
}

/** Its share as a bar with the interval, and a mark at that of the others. The sentences have the same. */
function Share({ suspect: { share, low, high, elsewhere } }: Pick<SuspectItemProps, 'suspect'>): ReactNode {
  return (
    <span className={styles['bar']} aria-hidden="true">
      <span className={styles['share']} style={{ width: `${share * 100}%` }} />
      <span className={styles['interval']} style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
      <span className={styles['elsewhere']} style={{ left: `${elsewhere * 100}%` }} />
    </span>
  );
}
