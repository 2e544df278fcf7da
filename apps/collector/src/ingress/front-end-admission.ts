import { feedOfSender } from '@ringdown/contracts/feed-of';
import type { KnownFrontEnds } from '@ringdown/feed-bus';
import { FeedRefusal } from './feed-refusal.js';
import type { FeedRequest } from './feed-request.js';
import type { SenderRights } from './sender-rights.js';
import { looksLikeUploadFeed } from './upload-names.js';

export interface FrontEndAdmissionOptions {
  readonly frontEnds: Pick<KnownFrontEnds, 'admit'>;
  /** The current rights of senders to report for front ends; undefined when they are not configured. */
  readonly rights: () => SenderRights | undefined;
}

/** Who reports. */
export type Reporter = Pick<FeedRequest, 'sentBy' | 'upload'>;

/** The names in a record: of front ends, and of their pools. */
export interface ReportedNames {
  readonly frontEnds: readonly string[];
  readonly pools?: readonly (string | undefined)[];
}

const FOR_UPLOADS = 'Names that begin with upload~ are those of uploaded captures.';

/** Which front ends a sender may name. */
export class FrontEndAdmission {
  constructor(private readonly options: FrontEndAdmissionOptions) {}

  /** Throws a {@link FeedRefusal}. `feed`: the front end that the message is counted for. */
  check({ frontEnds, pools = [] }: ReportedNames, feed: string, reporter: Reporter): void {
    const { frontEnds: known, rights } = this.options;
    const { sentBy } = reporter;
    // A sender may always report for itself; the name of a pool is a claim, as that of a front end.
    const claimed = feed === feedOfSender(sentBy) ? frontEnds : new Set([...frontEnds, feed]);
    for (const frontEnd of claimed) this.checkRight(frontEnd, reporter);
    for (const pool of pools) if (pool !== undefined && looksLikeUploadFeed(pool)) throw notAllowed(FOR_UPLOADS);
    // An authority limits the number of its certificates.
    const isCertified = feed !== '' && claimed === frontEnds && sentBy.certificateSubject !== undefined;
    for (const frontEnd of isCertified ? frontEnds : new Set([...frontEnds, feed])) {
      if (!known.admit(frontEnd) && rights()?.mentions(frontEnd) !== true) throw new FeedRefusal('too-many-front-ends');
    }
  }

  /** The name of an upload needs no rule of the operator, but the ticket that an aggregator has given its reader. */
  checkRight(frontEnd: string, { sentBy, upload }: Reporter): void {
    if (looksLikeUploadFeed(frontEnd)) {
      if (frontEnd !== upload) throw notAllowed(FOR_UPLOADS);
      return;
    }
    const rights = this.options.rights();
    if (rights === undefined || rights.allows(sentBy, frontEnd)) return;
    throw notAllowed(`This sender may not report for the front end ${frontEnd}.`);
  }
}

function notAllowed(reason: string): FeedRefusal {
  return new FeedRefusal('front-end-not-allowed', reason);
}
