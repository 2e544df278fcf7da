import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { ReadAs } from '@ringdown/web-server/input';
import { LinkBuilder, type Resource } from '@ringdown/hypermedia';
import { CurrentPrincipal, TokenGuard, type Principal } from '@ringdown/token-validation';
import { applicationChannelKeys } from '../events/channel-key.js';
import { EventChannels } from '../events/event-channels.js';
import { AnswersResource } from '../http/answers.js';
import { Parameters } from '../http/parameters.js';
import { ServedVersionGuard } from '../http/served-version.guard.js';
import { Sessions, stored, type Session } from '../sessions/sessions.js';
import { ContactsSubscriptions } from './contacts-subscriptions.js';

const MINUTES = { min: 10, max: 60 } as const;

class ContactsSubscriptionInput {
  /** Often in the query, so also as text. */
  @ReadAs(`a whole number of minutes from ${MINUTES.min} to ${MINUTES.max}`, (value) => {
    const minutes = /^\d{1,4}$/.test(String(value)) ? Number(value) : Number.NaN;
    return minutes >= MINUTES.min && minutes <= MINUTES.max ? minutes : undefined;
  })
  readonly duration: number = MINUTES.max;
}

/**
 * The subscription of a client to the contacts and groups of its user (web-interface.md, section 5). Without one a
 * client gets their events too, because many do not know it; after it was stopped, it gets none.
 */
@Controller('uc/v1/applications/:id/people/contactsAndGroupsSubscription')
@UseGuards(TokenGuard, ServedVersionGuard)
export class ContactsSubscriptionController {
  constructor(
    private readonly sessions: Sessions,
    private readonly subscriptions: ContactsSubscriptions,
    private readonly channels: EventChannels,
    private readonly links: LinkBuilder,
  ) {}

  @Get()
  @AnswersResource()
  async read(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<Resource> {
    await this.sessions.find(principal, id);
    return this.resource(id, (await stored(() => this.subscriptions.stateOf(id))) === 'running');
  }

  @Post()
  @AnswersResource()
  async startOrRefresh(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Parameters() { duration }: ContactsSubscriptionInput,
  ): Promise<Resource> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.subscriptions.start(id, Date.now() + duration * 60_000));
    return this.changed(session, true);
  }

  @Post('stop')
  @HttpCode(204)
  async stop(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    const session = await this.sessions.find(principal, id);
    await stored(() => this.subscriptions.stop(id));
    await this.changed(session, false);
  }

  private async changed({ application }: Session, isRunning: boolean): Promise<Resource> {
    const resource = this.resource(application.id, isRunning);
    const { rel, href } = resource;
    const sender = { rel: 'people', href: this.links.application(application.id, 'people') };
    const event = { sender, type: 'updated', link: { rel, href }, embedded: resource } as const;
    await stored(async () => {
      await Promise.all(applicationChannelKeys(application).map((key) => this.channels.append(key, [event])));
    });
    return resource;
  }

  private resource(id: string, isRunning: boolean): Resource {
    const href = this.links.application(id, 'people', 'contactsAndGroupsSubscription');
    return {
      rel: 'myContactsAndGroupsSubscription',
      href,
      links: [
        { rel: 'startOrRefreshSubscriptionToContactsAndGroups', href },
        { rel: 'stopSubscriptionToContactsAndGroups', href: `${href}/stop` },
      ],
      properties: { state: isRunning ? 'Connected' : 'Disconnected' },
    };
  }
}
