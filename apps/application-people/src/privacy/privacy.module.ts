import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { EventsModule } from '../events/events.module.js';
import { PersonalSettingsModule } from '../personal-settings/personal-settings.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { PresenceStoreModule } from '../presence-store/presence-store.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { PrivacyEvents } from './privacy-events.js';
import { PrivacyResourcesModule } from './privacy-resources.module.js';
import { PrivacyController } from './privacy.controller.js';

/** What a user lets others see of their presence. */
@Module({
  imports: [
    ContextModule,
    SessionsModule,
    EventsModule,
    PresenceModule,
    PresenceStoreModule,
    PersonalSettingsModule,
    PrivacyResourcesModule,
  ],
  controllers: [PrivacyController],
  providers: [PrivacyEvents],
})
export class PrivacyModule {}
