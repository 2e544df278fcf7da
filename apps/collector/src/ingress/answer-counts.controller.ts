import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  collectorAnswersPattern,
  readFrontEndAnswersRequest,
  type FrontEndAnswersReply,
} from '@ringdown/contracts/front-end-answers';
import { REPLICA } from '@ringdown/service';
import { AnswerCounts } from './answer-counts.js';

/** Which requests on the bus this service handles when it shares a process. */
export const COLLECTOR = Symbol('collector');

/**
 * Returns to other services what this replica has replied to some front ends. This is not part of the service report: a
 * collector may know thousands of front ends, of which an operator occasionally looks at one page.
 */
@Controller()
export class AnswerCountsController {
  constructor(private readonly counts: AnswerCounts) {}

  @MessagePattern(collectorAnswersPattern(REPLICA), COLLECTOR)
  answers(@Payload() request: unknown): FrontEndAnswersReply {
    const answers = readFrontEndAnswersRequest(request).frontEnds.flatMap((frontEnd) => {
      const counted = this.counts.of(frontEnd);
      return counted === undefined ? [] : { frontEnd, ...counted };
    });
    return { answers };
  }
}
