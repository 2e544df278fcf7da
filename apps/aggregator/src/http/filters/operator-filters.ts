import type { FastifyRequest } from 'fastify';
import { excludingUploads, type CallFilter } from '../../search/filter/call-filter.js';
import { isShown } from '../../search/names/identities.js';
import type { CallFilters, CallFilterQuery } from '../../search/query/call-filter-query.js';
import type { NameSearches } from './name-searches.js';

/** Makes filters from the parameters of a request, as far as its operator may search for that. */
export class OperatorFilters {
  constructor(
    private readonly filters: CallFilters,
    private readonly nameSearches: NameSearches,
  ) {}

  /**
   * Throws an {@link InterfaceError} when the operator may not search for that, and a {@link Fault} as
   * {@link CallFilters.of}.
   */
  of(query: CallFilterQuery, request: FastifyRequest): CallFilter {
    this.nameSearches.admit(request, query);
    return this.filters.of(query, isShown(request));
  }

  /** As {@link of}, without the calls of uploads unless they are asked for: anyone may have made them up. */
  withoutUploads(query: CallFilterQuery, request: FastifyRequest): CallFilter {
    return excludingUploads(this.of(query, request));
  }
}
