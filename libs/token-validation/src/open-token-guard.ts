import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import { splitUrl, type Bus } from '@ringdown/bus';
import type { PublicOrigins } from '@ringdown/http-server';
import type { WebNames } from '@ringdown/vendor-profile';
import { TokenGuard } from './token-guard.js';
import { TokenValidator } from './token-validator.js';

export interface TokenGuardParts {
  readonly bus: Bus;
  readonly natsUrl: string;
  readonly web: WebNames;
  readonly publicOrigins: PublicOrigins;
}

/** What a service needs to check tokens. The caller closes the validator when it stops. */
export function openTokenGuard({ bus, natsUrl, web, publicOrigins }: TokenGuardParts): {
  readonly guard: TokenGuard;
  readonly validator: TokenValidator;
} {
  // For ever: by itself the client gives up after some tries, and nobody could sign in until a restart.
  const options = { ...splitUrl(natsUrl), maxReconnectAttempts: -1 };
  const client = ClientProxyFactory.create({ transport: Transport.NATS, options });
  const validator = new TokenValidator({ bus, client });
  return { guard: new TokenGuard({ validator, web, publicOrigins }), validator };
}
