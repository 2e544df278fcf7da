import {
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RecordPublisher } from '@ringdown/bus';
import type { FastifyInstance } from 'fastify';
import type { FeedRoutes } from './feed-routes.js';
import type { RejectedKeeper } from './rejected-keeper.js';

export interface CollectorParts {
  readonly routes: FeedRoutes;
  readonly publisher: RecordPublisher;
  readonly keeper: RejectedKeeper;
}

/** A class, as Nest injects by class. */
class Parts {
  constructor(readonly all: CollectorParts) {}
}

/** The feed as a Nest module. It has no controller: a route on the Fastify instance takes twice as many records. */
@Module({})
export class CollectorModule implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  private readonly parts: CollectorParts;

  constructor(
    private readonly host: HttpAdapterHost,
    parts: Parts,
  ) {
    this.parts = parts.all;
  }

  static register(parts: CollectorParts): DynamicModule {
    return { module: CollectorModule, providers: [{ provide: Parts, useValue: new Parts(parts) }] };
  }

  onModuleInit(): void {
    this.parts.routes.register(this.host.httpAdapter.getInstance<FastifyInstance>());
  }

  onModuleDestroy(): void {
    this.parts.routes.startClosing();
  }

  /** After the listener has answered what was in flight. */
  async onApplicationShutdown(): Promise<void> {
    await this.parts.publisher.idle();
    await this.parts.keeper.idle();
  }
}
