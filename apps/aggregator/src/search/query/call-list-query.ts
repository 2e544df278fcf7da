import { CALL_SORTS, type CallSort } from '../../store/calls/call-orders.js';
import { CallFilterQuery } from './call-filter-query.js';
import { IdentitiesParameter, type Identities } from '../names/identities.js';
import { PageQuery } from '../filter/limit-query.js';
import { Cursor, DEFAULT_LIMIT, Limit, OneOf } from '../filter/query-fields.js';

/** Parameters of a sorted list of all matching calls. */
export class SortedCallsQuery extends CallFilterQuery {
  @OneOf(CALL_SORTS)
  sort: CallSort = 'newest';
}

/** Parameters of an export. */
export class ExportQuery extends SortedCallsQuery {
  @IdentitiesParameter()
  identities?: Identities;
}

/** Parameters of `GET /api/calls`. */
export class CallListQuery extends SortedCallsQuery {
  @Limit()
  limit = DEFAULT_LIMIT;

  @Cursor()
  cursor?: string;

  @IdentitiesParameter()
  identities?: Identities;
}

/** Parameters of `GET /api/calls/{callId}/timeline`. */
export class TimelineQuery extends PageQuery {
  @IdentitiesParameter()
  identities?: Identities;
}
