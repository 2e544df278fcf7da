import { IsIn, IsOptional } from 'class-validator';
import { CALL_SORTS, type CallSort } from '../store/call-page.js';
import { CallFilterQuery } from './call-filter-query.js';
import { DEFAULT_LIMIT, Limit } from './limit-query.js';
import { Cursor } from './query-fields.js';

/** Parameters of all calls that fit, in an order. */
export class SortedCallsQuery extends CallFilterQuery {
  @IsOptional()
  @IsIn([...CALL_SORTS], { message: `sort must be one of ${CALL_SORTS.join(',')}` })
  sort: CallSort = 'newest';
}

/** Parameters of an export. */
export class ExportQuery extends SortedCallsQuery {
  @IsOptional()
  @IsIn(['hidden', 'shown'], { message: 'identities must be one of hidden,shown' })
  identities: 'hidden' | 'shown' = 'hidden';
}

/** Parameters of `GET /api/calls`. */
export class CallListQuery extends SortedCallsQuery {
  @Limit()
  limit = DEFAULT_LIMIT;

  @Cursor()
  cursor?: string;
}
