import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, type Logger } from '@ringdown/observability';
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
      inject: [Bus, SETTINGS, LOGGER],
      useFactory: (bus: Bus, { applicationsPerUser: perUser }: Settings, logger: Logger) =>
        Applications.open({ bus, logger, perUser }),
    },
  ],
  exports: [Sessions, Applications],
})
export class SessionsModule implements OnApplicationShutdown {
  constructor(private readonly applications: Applications) {}

  onApplicationShutdown(): void {
    this.applications.close();
  }
}
