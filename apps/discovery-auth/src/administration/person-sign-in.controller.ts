import type { GeneratedPassword, Identity, Sessions as SessionList } from '@ringdown/answers/people';
import { Controller, Delete, Get, Headers, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { bearerToken, tokenHash, WEB_NAMES } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import { BodyLimit } from '@ringdown/web-server/input';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionView } from '../account/session-view.js';
import { Sessions } from '../sign-in/sessions.js';
import { AdminsOnly } from './admins-only.js';
import { fromBus } from '../sign-in/bus-fault.js';
import { PeopleAdministration } from './people-administration.js';
import { adminOf, MAX_BODY_BYTES } from './people.controller.js';
import { NoParameters } from './people-query.js';

/** Password, sessions and account at the sign-in provider of a person, as administrators run them. */
@Controller('api/people/:username')
@AdminsOnly()
@BodyLimit(MAX_BODY_BYTES)
export class PersonSignInController {
  constructor(
    private readonly administration: PeopleAdministration,
    private readonly sessions: Sessions,
    @Inject(WEB_NAMES) private readonly web: WebNames,
  ) {}

  @Post('password')
  @HttpCode(200)
  async resetPassword(
    @Param('username') username: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GeneratedPassword> {
    const { password, etag } = await this.administration.resetPassword(adminOf(request), username, ifMatch);
    void reply.header('etag', `"${etag}"`).header('cache-control', 'no-store');
    return { password };
  }

  @Get('sessions')
  async list(
    @Param('username') username: string,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionList> {
    const { account } = await this.administration.read(username);
    const own = tokenHash(bearerToken(request.headers, this.web) ?? '');
    void reply.header('cache-control', 'no-store');
    const sessions = await fromBus(this.sessions.of(account.username));
    return { items: sessions.map((session) => sessionView(session, own)) };
  }

  @Delete('sessions')
  @HttpCode(204)
  async endAll(
    @Param('username') username: string,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.administration.endSessions(adminOf(request), username);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async end(
    @Param('username') username: string,
    @Param('id') id: string,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.administration.endSession(adminOf(request), username, id);
  }

  @Get('identity')
  async identity(
    @Param('username') username: string,
    @Query() _query: NoParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Identity> {
    const { issuer, subject, boundAt } = await this.administration.identity(username);
    void reply.header('cache-control', 'no-store');
    return { issuer, subject, boundAt: new Date(boundAt).toISOString() };
  }

  @Delete('identity')
  @HttpCode(204)
  async forgetIdentity(
    @Param('username') username: string,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.administration.forgetIdentity(adminOf(request), username);
  }
}
