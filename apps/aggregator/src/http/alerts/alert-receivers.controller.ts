import type { AlertReceiverList } from '@ringdown/answers/alerts';
import { Controller, Get, Query } from '@nestjs/common';
import { NoQuery } from '../../search/filter/limit-query.js';
import { OperatorsOnly } from '../operator-guard.js';
import { AlertReceivers } from '../../alerts/delivery/alert-receivers.js';

@Controller('api/alert-receivers')
@OperatorsOnly()
export class AlertReceiversController {
  constructor(private readonly receivers: AlertReceivers) {}

  /** Names for rules. */
  @Get()
  list(@Query() _query: NoQuery): AlertReceiverList {
    return { items: this.receivers.shown };
  }
}
