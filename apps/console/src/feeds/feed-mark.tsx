import type { ReactNode } from 'react';
import type { FrontEnd } from '../api/answers.js';
import { formatSpan } from '../parts/format.js';
import { texts } from '../texts/feeds.js';
import { silence } from './feed-health.js';
import { Mark } from './mark.js';

/** Whether a feed sends, or for how long it has not, if that is long for it. */
export function FeedMark({ frontEnd, now }: { readonly frontEnd: FrontEnd; readonly now: number }): ReactNode {
  const silent = silence(frontEnd, now);
  if (silent === undefined) return <Mark state="good">{texts.sending}</Mark>;
  return (
    <span title={usualWords(frontEnd)}>
      <Mark state={silent.state}>{texts.silent(formatSpan(silent.milliseconds / 1_000))}</Mark>
    </span>
  );
}

function usualWords({ usualIntervalSeconds }: FrontEnd): string {
  if (usualIntervalSeconds === null) return texts.unknownInterval;
  return texts.usualInterval(formatSpan(usualIntervalSeconds));
}
