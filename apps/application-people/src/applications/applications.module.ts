import { Module } from '@nestjs/common';
import { CommunicationModule } from '../communication/communication.module.js';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { OnlineMeetingsModule } from '../online-meetings/online-meetings.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PeopleModule } from '../people/people.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { ApplicationsController } from './applications.controller.js';
import { CallForwardingResources } from './call-forwarding-resources.js';
import { CallForwardingController } from './call-forwarding.controller.js';
import { PhoneResources } from './phone-resources.js';
import { PhonesController } from './phones.controller.js';
import { ApplicationResources } from './resources.js';

/** The resource of an application, with everything that it links to. */
@Module({
  imports: [
    ContextModule,
    SessionsModule,
    EventsModule,
    PresenceModule,
    CommunicationModule,
    PeopleModule,
    OnlineMeetingsModule,
    PersonalSettingsModule,
  ],
  controllers: [ApplicationsController, PhonesController, CallForwardingController],
  providers: [ApplicationResources, PhoneResources, CallForwardingResources],
})
export class ApplicationsModule {}
