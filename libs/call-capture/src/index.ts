export type { DialogTrackerOptions } from './dialogs/dialog-tracker.js';
export { DEFAULT_LEG_HEADERS, parseLegHeader, type LegHeader } from './dialogs/leg-headers.js';
export { FailureCounts, type CountedFailure } from './failures/failure-counts.js';
export type { RequestFailure } from './failures/request-failures.js';
export type { CallIdForm } from './feed/call-id-form.js';
export { FrontEndFeed, type FrontEndFeedOptions } from './feed/front-end-feed.js';
export { OutputVersionChoice } from './feed/output-version-choice.js';
export { PlayedFeed } from './feed/played-feed.js';
export { NOTHING_PLAYED, type PlayedFindings } from './feed/played-findings.js';
