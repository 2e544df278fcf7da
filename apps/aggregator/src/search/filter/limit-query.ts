import { Cursor, DEFAULT_LIMIT, Limit } from './query-fields.js';

/** Parameters of lists without filters. */
export class LimitQuery {
  @Limit()
  limit = DEFAULT_LIMIT;
}

/** Parameters of pages without filters. */
export class PageQuery extends LimitQuery {
  @Cursor()
  cursor?: string;
}

/** For routes without parameters: any parameter is rejected. */
export class NoQuery {}
