import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import {
  readUploadsCheckRequest,
  UPLOADS_CHECK_PATTERN,
  type UploadsCheckReply,
} from '@ringdown/contracts/upload-tickets';
import { UploadTickets } from '../../captures/upload-tickets.js';
import { AGGREGATOR } from './calls-in-progress.controller.js';

/** Tells collectors whether records come from an uploaded capture. */
@Controller()
export class UploadsCheckController {
  constructor(private readonly tickets: UploadTickets) {}

  @MessagePattern(UPLOADS_CHECK_PATTERN, AGGREGATOR)
  check(@Payload() request: unknown): UploadsCheckReply {
    return { frontEnd: this.tickets.frontEndOf(readUploadsCheckRequest(request).ticket) };
  }
}
