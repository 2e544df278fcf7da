import { feedOfSender } from '@ringdown/contracts/feed-of';
import type { SentBy } from '@ringdown/contracts/records';
import type { KnownFrontEnds } from '@ringdown/feed-bus';
import { FeedRefusal } from './feed-refusal.js';
import type { SenderRights } from './sender-rights.js';

export interface FrontEndAdmissionOptions {
  readonly frontEnds: Pick<KnownFrontEnds, 'admit'>;
  /** The current rights of senders to report for front ends; undefined when they are not configured. */
  readonly rights: () => SenderRights | undefined;
}

/** Which front ends a sender may name. */
export class FrontEndAdmission {
  constructor(private readonly options: FrontEndAdmissionOptions) {}

  /** Throws a {@link FeedRefusal}. `feed`: the front end that the message is counted for. */
  check(frontEnds: readonly string[], feed: string, sentBy: SentBy): void {
    const { frontEnds: known, rights } = this.options;
    // A sender may always report for itself; the name of a pool is a claim, as that of a front end.
    const claimed = feed === feedOfSender(sentBy) ? frontEnds : new Set([...frontEnds, feed]);
    for (const frontEnd of claimed) this.checkRight(frontEnd, sentBy);
    // An authority limits the number of its certificates.
    const isCertified = feed !== '' && claimed === frontEnds && sentBy.certificateSubject !== undefined;
    for (const frontEnd of isCertified ? frontEnds : new Set([...frontEnds, feed])) {
      if (!known.admit(frontEnd) && rights()?.mentions(frontEnd) !== true) throw new FeedRefusal('too-many-front-ends');
    }
  }

  checkRight(frontEnd: string, sentBy: SentBy): void {
    const rights = this.options.rights();
    if (rights === undefined || rights.allows(sentBy, frontEnd)) return;
    throw new FeedRefusal('front-end-not-allowed', `This sender may not report for the front end ${frontEnd}.`);
  }
}
