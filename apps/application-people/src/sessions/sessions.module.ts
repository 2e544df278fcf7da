import { Module } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { Applications } from './applications.js';
import { Sessions } from './sessions.js';

/** The rules of who may use which application; the store of all applications. */
@Module({
  imports: [ContextModule],
  providers: [
    Sessions,
    {
      provide: Applications,
      inject: [Bus, SETTINGS],
      useFactory: (bus: Bus, { applicationsPerUser: perUser }: Settings) => Applications.open({ bus, perUser }),
    },
  ],
  exports: [Sessions, Applications],
})
export class SessionsModule {}
