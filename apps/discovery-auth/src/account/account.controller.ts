import type { PasswordRules, Sessions as SessionList } from '@ringdown/answers/people';
import { Body, Controller, Delete, Get, Header, HttpCode, Inject, Param, Post, Query, Req } from '@nestjs/common';
import { CurrentRules, describePasswordRules, MAX_PASSWORD_LENGTH } from '@ringdown/directory/passwords';
import { bearerToken, requestPrincipal, tokenHash, WEB_NAMES } from '@ringdown/token-validation';
import { InterfaceError } from '@ringdown/web-server/errors';
import { BodyLimit } from '@ringdown/web-server/input';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { PeopleAuditLog } from '../audit/people-audit-log.js';
import { fromBus } from '../sign-in/bus-fault.js';
import { Sessions } from '../sign-in/sessions.js';
import { OwnersOnly } from './account-guard.js';
import { accountErrors } from './account-errors.js';
import { NewPasswordInput, NoParameters } from './account-input.js';
import { OwnPassword, type Owner } from './own-password.js';
import { sessionView } from './session-view.js';

const MAX_BODY_BYTES = 16 * 1024;

/** What every person does with the own account. `GET /api/me` itself is one of the query API. */
@Controller('api/me')
@OwnersOnly()
@BodyLimit(MAX_BODY_BYTES)
export class AccountController {
  constructor(
    private readonly password: OwnPassword,
    private readonly sessions: Sessions,
    private readonly log: PeopleAuditLog,
    private readonly rules: CurrentRules,
    @Inject(WEB_NAMES) private readonly web: WebNames,
  ) {}

  @Get('password-rules')
  @Header('cache-control', 'no-store')
  async passwordRules(@Query() _query: NoParameters): Promise<PasswordRules> {
    const rules = await this.rules.read();
    const described = describePasswordRules(rules);
    return {
      minLength: rules.minLength,
      maxLength: MAX_PASSWORD_LENGTH,
      rules: described.map(({ text }) => text),
      codes: described.map(({ code }) => code),
    };
  }

  @Post('password')
  @HttpCode(204)
  async changePassword(
    @Body() input: NewPasswordInput,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const owner = this.ownerOf(request);
    await this.audited(request, ['password'], () => this.password.change(owner, input));
  }

  @Get('sessions')
  @Header('cache-control', 'no-store')
  async listSessions(@Query() _query: NoParameters, @Req() request: FastifyRequest): Promise<SessionList> {
    const { username, tokenHash: own } = this.ownerOf(request);
    const sessions = await fromBus(this.sessions.of(username));
    return { items: sessions.map((session) => sessionView(session, own)) };
  }

  /** All but that of the request. */
  @Delete('sessions')
  @HttpCode(204)
  async endOtherSessions(@Query() _query: NoParameters, @Req() request: FastifyRequest): Promise<void> {
    const { username, tokenHash: own } = this.ownerOf(request);
    await this.audited(request, ['sessions'], () => this.sessions.endOthers(username, own));
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  async endSession(
    @Param('id') id: string,
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const { username } = this.ownerOf(request);
    await this.audited(request, ['sessions'], async () => {
      if (!(await this.sessions.end(username, id))) throw new InterfaceError(accountErrors.noSuchSession);
    });
  }

  private audited(request: FastifyRequest, changed: readonly string[], work: () => Promise<unknown>): Promise<void> {
    const { username } = requestPrincipal(request);
    const action = changed.includes('sessions') ? 'end-sessions' : 'change';
    const change = { action, by: username, from: request.ip, people: [username], changed } as const;
    return fromBus(this.log.recordResult(change, work));
  }

  private ownerOf(request: FastifyRequest): Owner {
    const { username } = requestPrincipal(request);
    return { username, tokenHash: tokenHash(bearerToken(request.headers, this.web) ?? '') };
  }
}
