import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { QueryParameters } from '@ringdown/web-server/input';
import { ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AnswersResource } from '../http/answers.js';
import { PeopleSearch } from '../search/people-search.js';
import { SearchQuery, searchRequest } from '../search/search-request.js';
import { ReadableContacts } from '../readable-contacts/readable-contacts.js';
import { Sessions } from '../sessions/sessions.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PeopleResources } from './people-resources.js';

/** Sent with responses that may be out of date (RFC 7234, section 5.5.2). */
const STALE = '111 - "The directory cannot be read now; the people may be outdated."';

/** Finds people (web-interface.md, section 5). */
@Controller('uc/v1/applications/:id/people')
@UseGuards(TokenGuard, ServedVersionGuard)
@AnswersResource()
export class PeopleController {
  constructor(
    private readonly sessions: Sessions,
    private readonly resources: PeopleResources,
    private readonly writer: ResourceWriter,
    private readonly peopleSearch: PeopleSearch,
    private readonly readable: ReadableContacts,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get()
  async people(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.resources.people(id);
  }

  @Get('search')
  async search(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @QueryParameters() query: SearchQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Resource> {
    // Requested with each letter that a user types.
    await this.sessions.findCached(principal, id);
    const minVersion = request.headers[`${this.writer.web.headerPrefix}RequiresMinResourceVersion`.toLowerCase()];
    const wanted = searchRequest(query, minVersion);
    if (this.directory.problem !== undefined) void reply.header('warning', STALE);
    return this.resources.search(id, wanted, this.peopleSearch.search(wanted, wanted.limit));
  }

  @Get(':address')
  @GuestsWelcome()
  async contact(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('address') address: string,
  ): Promise<Resource> {
    const { person, acquaintance } = await this.readable.find(await this.sessions.find(principal, id), address);
    return person === undefined ? this.resources.acquaintance(id, acquaintance) : this.resources.contact(id, person);
  }
}
