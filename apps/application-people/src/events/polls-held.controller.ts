import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { pollsHeldPattern } from '@ringdown/contracts/event-channels';
import { REPLICA } from '@ringdown/service';
import { EventChannels } from './event-channels.js';
import { field } from './wake.js';

/** Which requests on the bus this service answers when it shares a process. */
export const APPLICATION_PEOPLE = Symbol('application-people');

/** Replies to the other replicas whether a poll still waits at this one. */
@Controller()
export class PollsHeldController {
  constructor(private readonly channels: EventChannels) {}

  @MessagePattern(pollsHeldPattern(REPLICA), APPLICATION_PEOPLE)
  isHeld(@Payload() request: unknown): boolean {
    return this.channels.holds(String(field(request, 'token')));
  }
}
