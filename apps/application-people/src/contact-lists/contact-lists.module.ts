import { Module } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { ContextModule } from '../context.module.js';
import { ContactLists } from './contact-lists.js';

/** The contact lists of all users, as the bus stores them. */
@Module({
  imports: [ContextModule],
  providers: [
    {
      provide: ContactLists,
      inject: [Bus, DIRECTORY],
      useFactory: (bus: Bus, directory: Directory) => ContactLists.open({ bus, directory }),
    },
  ],
  exports: [ContactLists],
})
export class ContactListsModule {}
