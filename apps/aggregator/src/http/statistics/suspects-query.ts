import { WholeNumber } from '@ringdown/web-server/input';
import { CallFilterQuery } from '../../search/query/call-filter-query.js';

/** Parameters of `GET /api/suspects`. */
export class SuspectsQuery extends CallFilterQuery {
  @WholeNumber(1, 50)
  limit = 10;
}
