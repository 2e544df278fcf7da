import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { READERS_ENSURE_PATTERN, readReadersEnsureRequest, type ReadersEnsureReply } from '@ringdown/contracts/readers';
import { ensureReaderPlace } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { AGGREGATOR } from './calls-in-progress.controller.js';

/** Stores how far subscribers have read: they have no rights on the streams of the feed but to read from there. */
@Controller()
export class ReadersController {
  constructor(private readonly bus: Bus) {}

  @MessagePattern(READERS_ENSURE_PATTERN, AGGREGATOR)
  ensure(@Payload() request: unknown): Promise<ReadersEnsureReply> {
    return ensureReaderPlace(this.bus, readReadersEnsureRequest(request));
  }
}
