import { Controller, Delete, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { Meetings, type Meeting } from '@ringdown/meetings';
import { InterfaceError, type ErrorRow } from '@ringdown/web-server';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { Sessions, stored } from '../sessions/sessions.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { OnlineMeetingInput } from './online-meeting-input.js';
import { OnlineMeetingResources } from './online-meeting-resources.js';

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
  constructor(
    private readonly sessions: Sessions,
    private readonly meetings: Meetings,
    private readonly resources: OnlineMeetingResources,
  ) {}

  @Get()
  @AnswersResource()
  async dashboard(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.resources.onlineMeetings(id);
  }

  @Get('myOnlineMeetings')
  @AnswersResource()
  async list(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const meetings = await stored(() => this.meetings.of(owner.sipAddress));
    return this.resources.myOnlineMeetings(id, meetings, owner);
  }

  @Post('myOnlineMeetings')
  @AnswersResource()
  async create(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() input: OnlineMeetingInput,
  ): Promise<Resource> {
    const { subject, description, accessLevel, expirationTime } = input;
    const { owner } = await this.sessions.find(principal, id);
    const existing = await stored(() => this.meetings.of(owner.sipAddress));
    if (existing.length >= MEETINGS_PER_PERSON) throw new InterfaceError(tooManyMeetings);
    const wanted = {
      organizer: owner.sipAddress,
      accessLevel: accessLevel ?? 'Everyone',
      ...(subject ? { subject } : {}),
      ...(description ? { description } : {}),
      ...(expirationTime === undefined ? {} : { expiresAt: expirationTime }),
    };
    const meeting = await stored(() => this.meetings.create(wanted));
    return this.resources.myOnlineMeeting(id, meeting, owner);
  }

  @Get('myOnlineMeetings/:meetingId')
  @AnswersResource()
  async read(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Param('meetingId') meetingId: string,
  ): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const meeting: Meeting | undefined = await stored(() => this.meetings.find(owner.sipAddress, meetingId));
    if (meeting === undefined) throw new InterfaceError(meetingNotFound);
    return this.resources.myOnlineMeeting(id, meeting, owner);
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
