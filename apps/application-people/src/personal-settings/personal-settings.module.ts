import { Module } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { ContextModule } from '../context.module.js';
import { PersonalSettings } from './personal-settings.js';

/** The settings that people keep on the server. */
@Module({
  imports: [ContextModule],
  providers: [{ provide: PersonalSettings, inject: [Bus], useFactory: (bus: Bus) => PersonalSettings.open(bus) }],
  exports: [PersonalSettings],
})
export class PersonalSettingsModule {}
