import type { ReactNode } from 'react';
import { Link } from 'wouter';
import forms from '../parts/form.module.css';
import sections from '../parts/sections.module.css';
import { texts } from '../texts/feeds.js';
import { NarrowedNote, useNarrowed } from './feeds-query.js';
import { FrontEndTable } from './front-end-table.js';
import { PeerTable } from './peer-table.js';
import { RejectedList } from './rejected-list.js';
import { ServiceTable } from './service-table.js';
import { SipFailureTable } from './sip-failure-table.js';

/** What front ends send, which SIP requests failed there, and what was rejected. */
export function FeedsView(): ReactNode {
  const narrowed = useNarrowed();
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">{texts.title}</h1>
      <div className={forms['buttons']}>
        <Link className="button" href="/start">
          {texts.connect}
        </Link>
        <Link className="button" href="/captures">
          {texts.uploadCapture}
        </Link>
      </div>
      <FrontEndTable />
      <ServiceTable />
      <NarrowedNote />
      <PeerTable narrowed={narrowed} />
      <SipFailureTable narrowed={narrowed} />
      <RejectedList narrowed={narrowed} />
    </div>
  );
}
