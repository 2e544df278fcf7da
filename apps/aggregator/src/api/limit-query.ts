import { Cursor, DEFAULT_LIMIT, Limit } from './query-fields.js';

/** Parameters of lists that are not filtered. */
export class LimitQuery {
  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of pages that are not filtered. */
export class PageQuery extends LimitQuery {
  @Cursor()
  cursor?: string;
}

/** For routes without parameters: any that is given is refused. */
export class NoQuery {}
