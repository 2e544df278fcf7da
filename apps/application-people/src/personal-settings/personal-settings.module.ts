import { Module } from '@nestjs/common';
import { DIRECTORY, type Directory } from '@ringdown/directory';
import { Bus } from '@ringdown/nats';
import { ContextModule } from '../context.module.js';
import { PersonalSettings } from './personal-settings.js';

/** The settings that people keep on the server. */
@Module({
  imports: [ContextModule],
  providers: [
    {
      provide: PersonalSettings,
      inject: [Bus, DIRECTORY],
      useFactory: (bus: Bus, directory: Directory) => PersonalSettings.open({ bus, directory }),
    },
  ],
  exports: [PersonalSettings],
})
export class PersonalSettingsModule {}
