import { Controller, Get, Inject, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Directory } from '@ringdown/directory';
import { InterfaceError } from '@ringdown/http-server';
import { reasons, ResourceWriter, type Resource } from '@ringdown/hypermedia';
import { principalOf } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { startAnswer } from '../http/answers.js';
import { PeopleSearch } from '../search/people-search.js';
import { queryParameters } from '../http/query-parameters.js';
import { ApplicationResources } from '../applications/resources.js';
import { readSearchRequest } from '../search/search-request.js';
import { Sessions } from '../applications/sessions.js';
import { SignedIn } from '../http/signed-in.guard.js';

export const DIRECTORY = Symbol('directory');

/** Said with answers that may be out of date (RFC 7234, section 5.5.2). */
const STALE = '111 - "The directory cannot be read right now; these are the people of before."';

/** Finding people (spec, row 6). */
@Controller('uc/v1/applications/:id/people')
@UseGuards(SignedIn)
export class PeopleController {
  constructor(
    private readonly sessions: Sessions,
    private readonly resources: ApplicationResources,
    private readonly writer: ResourceWriter,
    private readonly peopleSearch: PeopleSearch,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get()
  people(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, request, reply, () => this.resources.people(id));
  }

  @Get('search')
  search(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, request, reply, () => {
      const minVersion = request.headers[`${this.writer.web.headerPrefix}RequiresMinResourceVersion`.toLowerCase()];
      const wanted = readSearchRequest(queryParameters(request.url), minVersion);
      if (this.directory.problem !== undefined) void reply.header('warning', STALE);
      return this.resources.search(id, wanted, this.peopleSearch.search(wanted, wanted.limit));
    });
  }

  @Get(':address')
  contact(
    @Param('id') id: string,
    @Param('address') address: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    return this.answer(id, request, reply, () => {
      const person = this.directory.people.withSipAddress(address);
      if (person === undefined) throw new InterfaceError(reasons.personNotFound);
      return this.resources.contact(id, person);
    });
  }

  private async answer(
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    resourceFor: () => Resource,
  ): Promise<Buffer> {
    const answer = startAnswer(this.writer, request, reply);
    await this.sessions.find(principalOf(request), id);
    return answer(resourceFor());
  }
}
