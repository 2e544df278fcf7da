import type { FactoryProvider } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { PublicOrigins } from '@ringdown/web-server';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { TokenValidator } from './token-validator.js';
import { WEB_NAMES } from './token-guard.js';

interface WebSettings {
  readonly vendorProfile: VendorProfile;
  readonly publicOrigins: PublicOrigins;
}

/**
 * The providers that `@UseGuards(TokenGuard)` needs, for the lowest module of a service, which exports them and closes
 * the {@link TokenValidator}. `settings`: the injection token of the settings.
 */
export function tokenProviders(settings: symbol): FactoryProvider[] {
  return [
    { provide: WEB_NAMES, inject: [settings], useFactory: ({ vendorProfile }: WebSettings) => vendorProfile.web },
    { provide: PublicOrigins, inject: [settings], useFactory: ({ publicOrigins }: WebSettings) => publicOrigins },
    { provide: TokenValidator, inject: [Bus], useFactory: (bus: Bus) => new TokenValidator({ bus }) },
  ];
}
