import type { Suggestions as SuggestionList } from '@ringdown/answers/searches';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Suggestions } from '../search/words/suggestions.js';
import { CALL_FILTERS } from '@ringdown/call-catalogue/filters';
import { foldText } from '../search/words/search-text.js';
import { fromDatabase } from './database-fault.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';
import { ReportsReadLag } from './read-lag.interceptor.js';
import { SuggestionQuery } from './suggestion-query.js';

@Controller('api/suggest')
@OperatorsOnly()
@ReportsReadLag()
export class SuggestionsController {
  constructor(
    private readonly suggestions: Suggestions,
    private readonly nameSearches: NameSearches,
  ) {}

  @Get()
  async suggest(
    @Query() { field, q, limit }: SuggestionQuery,
    @Req() request: FastifyRequest,
  ): Promise<SuggestionList> {
    const found = await fromDatabase(this.suggestions.of(CALL_FILTERS[field].kind, foldText(q)));
    return { items: found.filter(({ text }) => this.nameSearches.isSeen(request, field, text)).slice(0, limit) };
  }
}
