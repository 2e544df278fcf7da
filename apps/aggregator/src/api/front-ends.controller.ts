import { Controller, Get, Query } from '@nestjs/common';
import { CallQueries, type FrontEnd } from '../store/call-queries.js';
import { fromDatabase } from './database-fault.js';
import { noParameters } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/front-ends')
@OperatorsOnly()
export class FrontEndsController {
  constructor(private readonly queries: CallQueries) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly FrontEnd[] }> {
    noParameters(query);
    return { items: await fromDatabase(this.queries.frontEnds()) };
  }
}
