import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { DIRECTORY, directoryProvider, type Directory } from '@ringdown/directory';
import { PublicOrigins } from '@ringdown/web-server';
import { ResourceWriter } from '@ringdown/hypermedia';
import { serviceProviders } from '@ringdown/service';
import { tokenProviders, TokenValidator, WEB_NAMES } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import { SETTINGS } from './settings.js';

/** What all modules of the service depend on: settings, bus, directory and token check. */
@Module({
  providers: [
    ...serviceProviders('discovery-auth', SETTINGS),
    ...tokenProviders(SETTINGS),
    { provide: ResourceWriter, inject: [WEB_NAMES], useFactory: (web: WebNames) => new ResourceWriter(web) },
    directoryProvider(SETTINGS, { owner: true }),
  ],
  exports: [SETTINGS, Bus, WEB_NAMES, PublicOrigins, TokenValidator, ResourceWriter, DIRECTORY],
})
export class ContextModule implements OnApplicationShutdown {
  constructor(
    @Inject(DIRECTORY) private readonly directory: Directory,
    private readonly validator: TokenValidator,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    this.validator.close();
    await this.directory.close();
  }
}
