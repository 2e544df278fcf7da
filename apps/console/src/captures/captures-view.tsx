import type { ReactNode } from 'react';
import { Link } from 'wouter';
import sections from '../parts/sections.module.css';
import { useSignedIn } from '../services/services.js';
import { texts } from '../texts/captures.js';
import { CaptureList } from './capture-list.js';
import { UploadForm } from './upload-form.js';

/** Sends a packet capture, and shows the calls in it. */
export function CapturesView(): ReactNode {
  const { roles } = useSignedIn();
  return (
    <div className={sections['sections']}>
      <nav aria-label={texts.feeds}>
        <Link href="/feeds">{texts.allFeeds}</Link>
      </nav>
      {roles.includes('reveal') ? <UploadForm /> : <p className="muted">{texts.needsReveal}</p>}
      <CaptureList />
    </div>
  );
}
