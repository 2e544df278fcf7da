import { IsIn, IsOptional } from 'class-validator';
import { CALL_SORTS, type CallSort } from '../store/call-page.js';
import { CallFilterQuery } from './call-filter-query.js';
import { DEFAULT_LIMIT, Limit } from './limit-query.js';
import { Cursor } from './query-fields.js';

/** Parameters of `GET /api/calls`. */
export class CallListQuery extends CallFilterQuery {
  @IsOptional()
  @IsIn([...CALL_SORTS], { message: `sort must be one of ${CALL_SORTS.join(',')}` })
  sort: CallSort = 'newest';

  @Limit()
  limit = DEFAULT_LIMIT;

  @Cursor()
  cursor?: string;
}
