import { Controller, Delete, Get, Headers, HttpCode, Inject, Param, Post, Put, Req, UseGuards } from '@nestjs/common';
import { KeyedMutex } from '@ringdown/concurrency';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { Meetings, parseConferenceUri, type Meeting } from '@ringdown/meetings';
import { PublicOrigins } from '@ringdown/web-server';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { Sessions, stored } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { PutParameters, requireMatch } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { updatedMeetingContent, OnlineMeetingInput } from './online-meeting-input.js';
import { meetingEtag, meetingSeed, OnlineMeetingResources } from './online-meeting-resources.js';

/** More than anyone plans at the same time; each meeting needs space in the store. */
const MEETINGS_PER_PERSON = 100;

const meetingNotFound: ErrorRow = { status: 404, code: 'NotFound', message: 'The meeting does not exist.' };
const tooManyMeetings: ErrorRow = {
  status: 409,
  code: 'Conflict',
  subcode: 'LimitExceeded',
  message: `You have ${MEETINGS_PER_PERSON} meetings, the maximum; delete one first.`,
};

/** The meetings that a user has created, and that guests may join (web-interface.md, sections 2 and 4). */
@Controller('uc/v1/applications/:id/onlineMeetings')
@UseGuards(TokenGuard, ServedVersionGuard)
export class OnlineMeetingsController {
  private readonly creating = new KeyedMutex();

  constructor(
    private readonly sessions: Sessions,
    private readonly meetings: Meetings,
    private readonly resources: OnlineMeetingResources,
    private readonly publicOrigins: PublicOrigins,
    @Inject(DIRECTORY) private readonly directory: Directory,
  ) {}

  @Get()
  @AnswersResource()
  async dashboard(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.resources.onlineMeetings(id);
  }

  /** The meeting of a guest; people have theirs in the list. */
  @Get('onlineMeeting')
  @AnswersResource()
  @GuestsWelcome()
  async ofGuest(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() { host }: FastifyRequest,
  ): Promise<Resource> {
    const { guestOf } = await this.sessions.find(principal, id);
    const named = guestOf === undefined ? undefined : parseConferenceUri(guestOf);
    const meeting = named && (await stored(() => this.meetings.find(named.organizer, named.id)));
    if (meeting === undefined) throw new InterfaceError(meetingNotFound);
    const { organizer } = meeting;
    const name = this.directory.people.withSipAddress(organizer)?.name ?? organizer.replace(/^sip:/, '');
    return this.resources.onlineMeeting(id, meeting, name, this.publicOrigins.forHost(host));
  }

  @Get('myOnlineMeetings')
  @AnswersResource()
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() { host }: FastifyRequest,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const meetings = await stored(() => this.meetings.of(owner.sipAddress));
    return this.resources.myOnlineMeetings(id, meetings, owner, this.publicOrigins.forHost(host));
  }

  @Post('myOnlineMeetings')
  @AnswersResource()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() input: OnlineMeetingInput,
    @Req() { host }: FastifyRequest,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const wanted = { organizer: owner.sipAddress, ...updatedMeetingContent(input, { accessLevel: 'Everyone' }) };
    // One after the other, so that the limit holds for simultaneous requests, too.
    const meeting = await this.creating.runExclusive(owner.sipAddress, () =>
      stored(() => this.meetings.createUpTo(MEETINGS_PER_PERSON, wanted)),
    );
    if (meeting === undefined) throw new InterfaceError(tooManyMeetings);
    return this.resources.myOnlineMeeting(id, meeting, owner, this.publicOrigins.forHost(host));
  }

  @Get('myOnlineMeetings/:meetingId')
  @AnswersResource()
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('meetingId') meetingId: string,
    @Req() { host }: FastifyRequest,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const meeting: Meeting | undefined = await stored(() => this.meetings.find(owner.sipAddress, meetingId));
    if (meeting === undefined) throw new InterfaceError(meetingNotFound);
    return this.resources.myOnlineMeeting(id, meeting, owner, this.publicOrigins.forHost(host));
  }

  /** What is left out stays as it is. */
  @Put('myOnlineMeetings/:meetingId')
  @HttpCode(204)
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('meetingId') meetingId: string,
    @PutParameters((path) => meetingSeed(path['id'] ?? '', path['meetingId'] ?? '')) input: OnlineMeetingInput,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    const changed = await stored(() =>
      this.meetings.change(owner.sipAddress, meetingId, (before) => {
        requireMatch(ifMatch, meetingEtag(before, owner.name));
        return updatedMeetingContent(input, before);
      }),
    );
    if (changed === undefined) throw new InterfaceError(meetingNotFound);
  }

  /** The tokens of guests in the meeting are revoked as well. */
  @Delete('myOnlineMeetings/:meetingId')
  @HttpCode(204)
  async delete(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('meetingId') meetingId: string,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    const deleted = await stored(() => this.meetings.delete(owner.sipAddress, meetingId));
    if (!deleted) throw new InterfaceError(meetingNotFound);
  }
}
