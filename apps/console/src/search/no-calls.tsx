import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { serverClock } from '../api/server-clock.js';
import { EmptyNote } from '../parts/notes.js';
import { texts } from '../texts/search.js';
import { alternativesTo, type Alternative } from './alternatives.js';
import { countFilters, filterQuery, filterAddress, type Filter } from './filter.js';
import styles from './search-view.module.css';
import { formatTotal, totalQuery, useTotal } from './total.js';

/** Shown when a search found nothing: what a wider one finds. */
export function NoCalls({ filter }: { readonly filter: Filter }): ReactNode {
  return (
    <EmptyNote title={texts.noCalls}>
      <p>{countFilters(filter) > 0 ? texts.removeOrExtend : texts.extend}</p>
      <ul className={styles['alternatives']}>
        {alternativesTo(filter).map((alternative) => (
          <WiderSearch key={alternative.words} {...alternative} />
        ))}
      </ul>
    </EmptyNote>
  );
}

function WiderSearch({ words, filter }: Alternative): ReactNode {
  // To the minute, so that the same question is asked once.
  const now = Math.floor(serverClock.now() / 60_000) * 60_000 + 60_000;
  const total = useTotal(totalQuery(filterQuery(filter, now)));
  if (total === undefined || total.calls === 0) return null;
  const search = filterAddress(filter);
  return (
    <li>
      <Link href={search === '' ? '/calls' : `/calls?${search}`}>{texts.alternative(words, formatTotal(total))}</Link>
    </li>
  );
}
