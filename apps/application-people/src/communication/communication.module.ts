import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { CommunicationResources } from './communication-resources.js';

/** What a client can do with messages, and the entry point of messaging. */
@Module({ imports: [ContextModule], providers: [CommunicationResources], exports: [CommunicationResources] })
export class CommunicationModule {}
