import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FrontEndHealth } from '../api/answers.js';
import { formatNumber, formatSpan } from '../parts/format.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import { useServerTime } from '../parts/time/use-server-time.js';
import { texts } from '../texts/feeds.js';
import { AnswerCount } from './answer-count.js';
import { ExpiredLink } from './expired-link.js';
import { formatRate } from './feed-health.js';
import { FeedMark } from './feed-mark.js';
import styles from './feeds-view.module.css';

/** Its state, its clock, and how much it has sent in all and in the last day. */
export function FeedFacts({ query }: { readonly query: UseQueryResult<FrontEndHealth> }): ReactNode {
  const now = useServerTime(true);
  return (
    <Section title={texts.activity} query={query} height={60}>
      {(frontEnd) => (
        <dl className={styles['facts']}>
          <Fact name={texts.state}>
            <FeedMark frontEnd={frontEnd} now={now} />
          </Fact>
          <Fact name={texts.lastRecord}>
            <Time at={frontEnd.lastSeen} />
          </Fact>
          <Fact name={texts.firstRecord}>
            <Time at={frontEnd.firstSeen} />
          </Fact>
          <Fact name={texts.usually}>
            {frontEnd.usualIntervalSeconds === null
              ? texts.unknownYet
              : texts.everySeconds(formatSpan(frontEnd.usualIntervalSeconds))}
          </Fact>
          <Fact name={texts.perMinute}>{formatRate(frontEnd.recordsPerMinute)}</Fact>
          <Fact name={texts.clock}>{clockWords(frontEnd)}</Fact>
          <Fact name={texts.callsNow}>{formatNumber(frontEnd.callsInProgress)}</Fact>
          <Fact name={texts.answerCount}>
            <AnswerCount answers={frontEnd.answers} />
          </Fact>
          <Counts frontEnd={frontEnd} />
        </dl>
      )}
    </Section>
  );
}

/** Of the last day, and in all. */
function Counts({ frontEnd }: { readonly frontEnd: FrontEndHealth }): ReactNode {
  const { activity } = frontEnd;
  return (
    <>
      {(['records', 'duplicates', 'late'] as const).map((count) => (
        <Fact key={count} name={texts[count]}>
          {texts.ofLastDay(formatNumber(activity[count]), formatNumber(frontEnd[count]))}
        </Fact>
      ))}
      <Fact name={texts.expired}>
        <ExpiredLink frontEnd={frontEnd}>
          {texts.ofLastDay(formatNumber(activity.expired), formatNumber(frontEnd.expired))}
        </ExpiredLink>
      </Fact>
      <Fact name={texts.rejected}>{frontEnd.rejected === null ? '–' : formatNumber(frontEnd.rejected)}</Fact>
    </>
  );
}

function clockWords({ newestCalls: { clockSkewSeconds: skew } }: FrontEndHealth): string {
  if (skew === null) return texts.unknownYet;
  if (Math.abs(skew) < 1) return texts.withinSecond;
  return (skew < 0 ? texts.clockAhead : texts.clockBehind)(formatSpan(Math.abs(skew)));
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
