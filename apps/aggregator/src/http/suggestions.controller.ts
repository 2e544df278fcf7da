import type { Suggestion, Suggestions as SuggestionList } from '@ringdown/answers/searches';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Sites } from '../search/sites/sites.js';
import { Suggestions } from '../search/words/suggestions.js';
import { suggestedSites } from '../search/words/suggested-sites.js';
import { isTokenAddress } from '../search/names/hidden-texts.js';
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
    private readonly sites: Sites,
    private readonly nameSearches: NameSearches,
  ) {}

  @Get()
  async suggest(
    @Query() { field: fields, q, limit }: SuggestionQuery,
    @Req() request: FastifyRequest,
  ): Promise<SuggestionList> {
    const part = foldText(q);
    const found = await fromDatabase(
      this.suggestions.of(
        fields.filter((field) => field !== 'site'),
        part,
      ),
    );
    const items = fields.flatMap((field): readonly Suggestion[] => {
      const ofField =
        field === 'site'
          ? suggestedSites(this.sites.subnets, part)
          : withoutBareTokens(
              found.filter((each) => each.field === field && this.nameSearches.isSeen(request, field, each.text)),
            );
      return ofField.slice(0, limit);
    });
    return { items };
  }
}

/** A hidden user is a key with the domain, as it is shown, and without, by which it can be searched too: it is offered once. */
function withoutBareTokens<S extends Pick<Suggestion, 'text'>>(found: readonly S[]): readonly S[] {
  const users = new Set(found.flatMap(({ text }) => (text.includes('@') ? text.slice(0, text.indexOf('@')) : [])));
  return found.filter(({ text }) => !(isTokenAddress(text) && users.has(text)));
}
