import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { CrossFrameController } from './cross-frame.controller.js';
import { DiscoveryController } from './discovery.controller.js';
import { Domains } from './domains.js';
import { UnservedUserController } from './unserved-user.controller.js';

/** The documents that lead a client to its applications, and the cross-frame page. */
@Module({
  imports: [ContextModule],
  controllers: [DiscoveryController, CrossFrameController, UnservedUserController],
  providers: [{ provide: Domains, inject: [SETTINGS], useFactory: domainsOf }],
})
export class DiscoveryModule {}

function domainsOf({ domainHomes: homes, publicOrigins, vendorProfile }: Settings): Domains {
  return new Domains({ homes, publicOrigins, discoveryLabels: vendorProfile.web.discoveryLabels });
}
