import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Directory } from '@ringdown/directory';
import { PublicOrigins } from '@ringdown/http-server';
import { ResourceWriter } from '@ringdown/hypermedia';
import { TokenGuard, type TokenValidator } from '@ringdown/token-validation';
import { CrossFrameController } from './discovery/cross-frame.controller.js';
import { DiscoveryController } from './discovery/discovery.controller.js';
import { Domains } from './discovery/domains.js';
import { IntrospectionController } from './sign-in/introspection.controller.js';
import { TokenController } from './sign-in/token.controller.js';
import { TokenService } from './sign-in/token-service.js';
import { Tokens } from './sign-in/tokens.js';

export interface DiscoveryAuthParts {
  readonly writer: ResourceWriter;
  readonly publicOrigins: PublicOrigins;
  readonly domains: Domains;
  readonly tokens: Tokens;
  readonly tokenService: TokenService;
  readonly guard: TokenGuard;
  readonly validator: TokenValidator;
  readonly directory: Directory;
}

/** What has to end with the module. A class, as Nest injects by class. */
class Closer {
  constructor(private readonly parts: DiscoveryAuthParts) {}

  async close(): Promise<void> {
    await this.parts.directory.close();
    await this.parts.validator.close();
  }
}

@Module({})
export class DiscoveryAuthModule implements OnApplicationShutdown {
  constructor(private readonly closer: Closer) {}

  static register(parts: DiscoveryAuthParts): DynamicModule {
    return {
      module: DiscoveryAuthModule,
      controllers: [DiscoveryController, CrossFrameController, TokenController, IntrospectionController],
      providers: [
        { provide: ResourceWriter, useValue: parts.writer },
        { provide: PublicOrigins, useValue: parts.publicOrigins },
        { provide: Domains, useValue: parts.domains },
        { provide: Tokens, useValue: parts.tokens },
        { provide: TokenService, useValue: parts.tokenService },
        { provide: TokenGuard, useValue: parts.guard },
        { provide: Closer, useValue: new Closer(parts) },
      ],
    };
  }

  /** After the listener has answered what was in flight. */
  async onApplicationShutdown(): Promise<void> {
    await this.closer.close();
  }
}
