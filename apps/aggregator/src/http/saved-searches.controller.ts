import type { SavedSearch as ShownSearch, SearchPage } from '@ringdown/answers/searches';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { requestPrincipal } from '@ringdown/token-validation';
import { checkMatch, InterfaceError, requireMatch } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import {
  SavedSearches,
  type SavedSearch,
  type SearchPosition,
  type SearchToStore,
} from '../search/saved/saved-searches.js';
import { OperatorFilters } from './filters/operator-filters.js';
import { TimelineQuery } from '../search/query/call-list-query.js';
import { Cursors } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesQuery, isShown, type Identities } from '../search/names/identities.js';
import { OperatorsOnly } from './operator-guard.js';
import { ChangedSearchInput, checkSearch, SavedSearchInput } from '../search/saved/saved-search-input.js';
import { SavedSearchViews } from '../search/saved/saved-search-views.js';

const LIST = 'saved searches';
const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The searches of one operator, and those that others share. */
@Controller('api/searches')
@OperatorsOnly()
export class SavedSearchesController {
  constructor(
    private readonly searches: SavedSearches,
    private readonly filters: OperatorFilters,
    private readonly views: SavedSearchViews,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(
    @Query() { limit, cursor, identities }: TimelineQuery,
    @Req() request: FastifyRequest,
  ): Promise<SearchPage> {
    const after = cursor === undefined ? undefined : positionIn(this.cursors.name(cursor, LIST));
    const found = await fromDatabase(this.searches.page(operatorOf(request), limit + 1, after));
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const shown = isShown(request, identities);
    return {
      items: page.map((search) => this.views.of(search, operatorOf(request), shown)),
      next: last === undefined ? null : this.cursors.ofName(`${last.changedAt.getTime()} ${last.id}`, LIST),
    };
  }

  @Post()
  async create(
    @Body() input: SavedSearchInput,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSearch> {
    this.check(input, request);
    const search = await fromDatabase(this.searches.create(operatorOf(request), toStore(input, request)));
    if (search === undefined) throw new InterfaceError(queryErrors.tooManySearches);
    void reply.header('location', `/api/searches/${search.id}`);
    return this.show(search, request, reply);
  }

  @Get(':id')
  async one(
    @Param('id') id: string,
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSearch> {
    return this.show(await this.find(id, request), request, reply, identities);
  }

  /** Replaces the whole content. */
  @Put(':id')
  async change(
    @Param('id') id: string,
    @Body() input: ChangedSearchInput,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownSearch> {
    const before = await this.findOwn(id, request);
    requireMatch(ifMatch, this.views.etag(before));
    this.check(input, request);
    const after = await fromDatabase(this.searches.change(before, toStore(input, request)));
    if (after === undefined) throw new InterfaceError(queryErrors.preconditionFailed);
    return this.show(after, request, reply);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const search = await this.findOwn(id, request);
    checkMatch(ifMatch, this.views.etag(search));
    if (!(await fromDatabase(this.searches.delete(search)))) throw new InterfaceError(queryErrors.preconditionFailed);
  }

  /** Throws what `GET /api/calls` would answer to the same parameters. */
  private check({ parameters }: SavedSearchInput, request: FastifyRequest): void {
    checkSearch('parameters', parameters, (query) => this.filters.of(query, request));
  }

  private async find(id: string, request: FastifyRequest): Promise<SavedSearch> {
    const found = ID.test(id) ? await fromDatabase(this.searches.find(operatorOf(request), id)) : undefined;
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchSearch);
    return found;
  }

  private async findOwn(id: string, request: FastifyRequest): Promise<SavedSearch> {
    const found = await this.find(id, request);
    if (found.owner !== operatorOf(request)) throw new InterfaceError(queryErrors.notYourSearch);
    return found;
  }

  private show(
    search: SavedSearch,
    request: FastifyRequest,
    reply: FastifyReply,
    identities?: Identities,
  ): ShownSearch {
    void reply.header('etag', `"${this.views.etag(search)}"`).header('cache-control', 'no-store');
    return this.views.of(search, operatorOf(request), isShown(request, identities));
  }
}

/** From a cursor of our own. */
function positionIn(text: string): SearchPosition {
  const [at = '', id = ''] = text.split(' ', 2);
  return { changedAt: new Date(Number(at)), id };
}

function toStore({ name, shared, parameters }: SavedSearchInput, request: FastifyRequest): SearchToStore {
  return { name, shared, parameters, revealed: isShown(request) };
}

function operatorOf(request: FastifyRequest): string {
  return requestPrincipal(request).username;
}
