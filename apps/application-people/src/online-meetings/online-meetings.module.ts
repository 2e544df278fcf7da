import { Module } from '@nestjs/common';
import { Meetings } from '@ringdown/meetings';
import { Bus } from '@ringdown/nats';
import { ContextModule } from '../context.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OnlineMeetingResources } from './online-meeting-resources.js';
import { OnlineMeetingsController } from './online-meetings.controller.js';

/** The meetings that users have created. */
@Module({
  imports: [ContextModule, SessionsModule],
  controllers: [OnlineMeetingsController],
  providers: [
    OnlineMeetingResources,
    { provide: Meetings, inject: [Bus], useFactory: (bus: Bus) => Meetings.open({ bus }) },
  ],
  exports: [Meetings, OnlineMeetingResources],
})
export class OnlineMeetingsModule {}
