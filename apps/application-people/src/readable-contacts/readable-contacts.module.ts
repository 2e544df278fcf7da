import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { ReadableContacts } from './readable-contacts.js';

/** Whom a session may read as a contact. */
@Module({ imports: [ContextModule], providers: [ReadableContacts], exports: [ReadableContacts] })
export class ReadableContactsModule {}
