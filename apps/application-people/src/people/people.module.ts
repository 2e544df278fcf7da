import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { PresenceModule } from '../presence/presence.module.js';
import { PrivacyResourcesModule } from '../privacy/privacy-resources.module.js';
import { ReadableContactsModule } from '../readable-contacts/readable-contacts.module.js';
import { SearchModule } from '../search/search.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { PeopleController } from './people.controller.js';
import { PeopleResources } from './people-resources.js';
import { PhotosController } from './photos.controller.js';

/** People of the directory: the search, and the resource of each person. */
@Module({
  imports: [
    ContextModule,
    SessionsModule,
    SearchModule,
    PresenceModule,
    SubscriptionsModule,
    PrivacyResourcesModule,
    ReadableContactsModule,
  ],
  controllers: [PeopleController, PhotosController],
  providers: [PeopleResources],
  exports: [PeopleResources],
})
export class PeopleModule {}
