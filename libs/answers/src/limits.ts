import type { AtLeastOne, Text, Time } from './values.js';

export interface TrunkLimitList {
  /** By name; 1,000 at most */
  readonly items: readonly TrunkLimit[];
}

/** How many calls a trunk may have at the same time */
export interface TrunkLimit {
  /** In lower case, as statistics count it */
  readonly trunk: Text;
  /** @maximum 100000 */
  readonly calls: AtLeastOne;
  /** For `If-Match` */
  readonly etag: string;
  readonly changedAt: Time;
}
