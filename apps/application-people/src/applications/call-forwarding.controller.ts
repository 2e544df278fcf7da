import { Controller, Get, Headers, HttpCode, Param, Put, UseGuards } from '@nestjs/common';
import type { Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { UserEvents } from '../events/user-events.js';
import { AnswersResource } from '../http/answers.js';
import { PutParameters, requireMatch } from '../http/put-request.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { PersonalSettings } from '../personal-settings/personal-settings.js';
import { Sessions, stored } from '../sessions/sessions.js';
import {
  callForwardingEtag,
  callForwardingOf,
  CallForwardingResources,
  callForwardingSeed,
} from './call-forwarding-resources.js';

/** The words of web-interface.md, section 6; properties that are left out stay as they are. */
class CallForwardingInput {
  @IsOptional()
  @IsIn(['Always', 'Workhours'])
  readonly activePeriod?: string | null;

  @IsOptional()
  @IsIn(['None', 'ImmediateForward', 'SimultaneousRing'])
  readonly activeSetting?: string | null;

  /** Its words are not known. */
  @IsOptional()
  @IsNotEmpty()
  @MaxLength(50)
  @IsString()
  readonly unansweredCallHandling?: string | null;
}

/** How the user's calls are forwarded (web-interface.md, section 6). */
@Controller('uc/v1/applications/:id/me/callForwardingSettings')
@UseGuards(TokenGuard, ServedVersionGuard)
export class CallForwardingController {
  constructor(
    private readonly sessions: Sessions,
    private readonly settings: PersonalSettings,
    private readonly resources: CallForwardingResources,
    private readonly userEvents: UserEvents,
  ) {}

  @Get()
  @AnswersResource()
  async read(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    const { owner } = await this.sessions.find(principal, id);
    const record = await stored(() => this.settings.of(owner.username));
    return this.resources.callForwardingSettings(id, callForwardingOf(record));
  }

  @Put()
  @HttpCode(204)
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @PutParameters((path) => callForwardingSeed(path['id'] ?? '')) input: CallForwardingInput,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    const { owner } = await this.sessions.find(principal, id);
    const { before, after } = await stored(() =>
      this.settings.change(owner.username, (record) => {
        const current = callForwardingOf(record);
        requireMatch(ifMatch, callForwardingEtag(current));
        const callForwarding = {
          activePeriod: input.activePeriod ?? current.activePeriod,
          activeSetting: input.activeSetting ?? current.activeSetting,
          unansweredCallHandling: input.unansweredCallHandling ?? current.unansweredCallHandling,
        };
        return callForwardingEtag(callForwarding) === callForwardingEtag(current)
          ? record
          : { ...record, callForwarding };
      }),
    );
    if (before !== after) await this.userEvents.send(owner.username, (each) => [this.resources.updated(each)]);
  }
}
