import { useEffect, type ReactNode } from 'react';
import { Link, useParams } from 'wouter';
import type { FrontEndHealth } from '../api/answers.js';
import forms from '../parts/form.module.css';
import { visible } from '../parts/format.js';
import { LoadingNote } from '../parts/notes.js';
import sections from '../parts/sections.module.css';
import { UnreadPage } from '../parts/unread-page.js';
import { texts } from '../texts/feeds.js';
import { feedInAddress, recentCallsHref } from './feed-address.js';
import { FeedFacts } from './feed-facts.js';
import { feedNarrowed } from './feeds-query.js';
import { GapTable } from './gap-table.js';
import { KindTable } from './kind-table.js';
import { PeerTable } from './peer-table.js';
import { RejectedList } from './rejected-list.js';
import { SipFailureTable } from './sip-failure-table.js';
import { useFrontEnd } from './use-feeds.js';

/** One feed: what it sends and when it did not, its clock, and what was refused or failed there. */
export function FeedView(): ReactNode {
  useParams();
  const name = feedInAddress(location.pathname);
  const query = useFrontEnd(name);
  const { data, error, refetch } = query;
  useEffect(() => {
    document.title = texts.feedTitle(visible(name));
    return () => void (document.title = 'Ringdown');
  }, [name]);
  if (data === undefined) {
    if (error === null) return <LoadingNote />;
    return (
      <UnreadPage error={error} retry={() => void refetch()}>
        <Link href="/feeds">{texts.allFeeds}</Link>
      </UnreadPage>
    );
  }
  const narrowed = feedNarrowed(name);
  return (
    <div className={sections['sections']}>
      <Head frontEnd={data} />
      <FeedFacts query={query} />
      <GapTable query={query} />
      <KindTable query={query} />
      <PeerTable narrowed={narrowed} />
      <SipFailureTable narrowed={narrowed} />
      <RejectedList narrowed={narrowed} />
    </div>
  );
}

function Head({ frontEnd: { name } }: { readonly frontEnd: FrontEndHealth }): ReactNode {
  const filter = new URLSearchParams({ frontEnd: name }).toString();
  return (
    <>
      <h1>{visible(name)}</h1>
      <div className={forms['buttons']}>
        <Link className="button" href="/feeds">
          {texts.allFeeds}
        </Link>
        <Link className="button" href={recentCallsHref({ frontEnd: name })}>
          {texts.itsCalls}
        </Link>
        <Link className="button" href={`/live?${filter}`}>
          {texts.itsCallsNow}
        </Link>
        <Link className="button" href={`/quality?${filter}`}>
          {texts.itsQuality}
        </Link>
      </div>
    </>
  );
}
