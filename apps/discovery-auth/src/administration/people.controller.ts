import type { AddedPerson, PeoplePage, PersonAccount } from '@ringdown/answers/people';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { requestPrincipal } from '@ringdown/token-validation';
import { BodyLimit } from '@ringdown/web-server/input';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AdminsOnly } from './admins-only.js';
import { PeopleAdministration, type Admin, type TaggedAccount } from './people-administration.js';
import { cursorOf, NoParameters, PeopleQuery } from './people-query.js';
import { NewPersonInput, PersonInput } from './person-input.js';

/** A person with some thousand contacts. */
export const MAX_BODY_BYTES = 128 * 1024;

/** People, as administrators run them. */
@Controller('api/people')
@AdminsOnly()
@BodyLimit(MAX_BODY_BYTES)
export class PeopleController {
  constructor(private readonly administration: PeopleAdministration) {}

  @Get()
  async list(@Query() query: PeopleQuery, @Res({ passthrough: true }) reply: FastifyReply): Promise<PeoplePage> {
    const { people, hasMore } = await this.administration.page(query);
    const last = hasMore ? people.at(-1) : undefined;
    void reply.header('cache-control', 'no-store');
    return {
      items: people,
      next: last === undefined ? null : cursorOf(last.username),
      source: this.administration.source,
    };
  }

  @Post()
  async add(
    @Body() input: NewPersonInput,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AddedPerson> {
    const { password, ...added } = await this.administration.add(adminOf(request), input);
    return { ...show(added, reply.header('location', personAddress(added))), password };
  }

  @Get(':username')
  async read(
    @Param('username') username: string,
    @Query() _query: NoParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonAccount> {
    return show(await this.administration.read(username), reply);
  }

  /** Replaces all but password and sessions; another username in the body renames the person. */
  @Put(':username')
  async change(
    @Param('username') username: string,
    @Body() input: PersonInput,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonAccount> {
    const changed = await this.administration.change(adminOf(request), username, input, ifMatch);
    return show(changed, reply.header('content-location', personAddress(changed)));
  }

  @Delete(':username')
  @HttpCode(204)
  async remove(
    @Param('username') username: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.administration.remove(adminOf(request), username, ifMatch);
  }
}

export function adminOf(request: FastifyRequest): Admin {
  return { username: requestPrincipal(request).username, ip: request.ip };
}

function personAddress({ account }: TaggedAccount): string {
  return `/api/people/${encodeURIComponent(account.username)}`;
}

function show({ account, etag }: TaggedAccount, reply: FastifyReply): PersonAccount {
  void reply.header('etag', `"${etag}"`).header('cache-control', 'no-store');
  return account;
}
