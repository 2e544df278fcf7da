import { Controller, Get, HttpCode, Param, Post, Req, UseGuards } from '@nestjs/common';
import type { Resource } from '@ringdown/hypermedia';
import { requestPrincipal, TokenGuard } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { Sessions, type Session } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { OwnPresenceOperations } from './own-presence-operations.js';
import { AvailabilityInput, LocationInput, NoteInput, noteOf, PresenceInput } from './presence-input.js';
import { PresenceResources } from './presence-resources.js';
import { Presences } from './presences.js';

/** What the signed-in user shows others of themselves (web-interface.md, section 6). */
@Controller('uc/v1/applications/:id')
@UseGuards(TokenGuard, ServedVersionGuard)
export class OwnPresenceController {
  constructor(
    private readonly sessions: Sessions,
    private readonly own: OwnPresenceOperations,
    private readonly presences: Presences,
    private readonly resources: PresenceResources,
  ) {}

  @Post('me/makeMeAvailable')
  @HttpCode(204)
  async makeMeAvailable(
    @Param('id') id: string,
    @Parameters() input: AvailabilityInput,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.own.makeAvailable(await this.session(id, request), input);
  }

  /** Some clients know only the short URL. */
  @Post(['me/reportMyActivity', 'reportMyActivity'])
  @HttpCode(204)
  async reportMyActivity(@Param('id') id: string, @Req() request: FastifyRequest): Promise<void> {
    await this.own.act(await this.session(id, request));
  }

  @Get('me/presence')
  @AnswersResource()
  async presence(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Resource> {
    const record = await this.own.read(await this.session(id, request));
    return this.resources.presence(id, this.presences.shownOf(record));
  }

  @Post('me/presence')
  @HttpCode(204)
  async setPresence(
    @Param('id') id: string,
    @Parameters() { availability }: PresenceInput,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.own.act(await this.session(id, request), { preferred: availability || null });
  }

  @Get('me/note')
  @AnswersResource()
  async note(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Resource> {
    const record = await this.own.read(await this.session(id, request));
    return this.resources.note(id, record);
  }

  @Post('me/note')
  @HttpCode(204)
  async setNote(@Param('id') id: string, @Parameters() note: NoteInput, @Req() request: FastifyRequest): Promise<void> {
    await this.own.act(await this.session(id, request), { note: noteOf(note) });
  }

  @Get('me/location')
  @AnswersResource()
  async location(@Param('id') id: string, @Req() request: FastifyRequest): Promise<Resource> {
    const record = await this.own.read(await this.session(id, request));
    return this.resources.location(id, record);
  }

  @Post('me/location')
  @HttpCode(204)
  async setLocation(
    @Param('id') id: string,
    @Parameters() { location }: LocationInput,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.own.act(await this.session(id, request), { location: location?.trim() || null });
  }

  private session(id: string, request: FastifyRequest): Promise<Session> {
    return this.sessions.find(requestPrincipal(request), id);
  }
}
