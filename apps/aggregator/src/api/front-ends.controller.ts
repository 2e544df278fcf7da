import { Controller, Get, Query } from '@nestjs/common';
import { validated } from '@ringdown/http-server';
import { queryErrors } from '../errors.js';
import { FrontEndQueries, type FrontEnd } from '../store/front-ends.js';
import { nameCursorOf, nameOf } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { PageQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/front-ends')
@OperatorsOnly()
export class FrontEndsController {
  constructor(private readonly queries: FrontEndQueries) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly FrontEnd[]; next: string | null }> {
    const { limit, cursor } = validated(PageQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const after = cursor === undefined ? undefined : nameOf(cursor);
    const { frontEnds, next } = await fromDatabase(this.queries.page(limit, after));
    return { items: frontEnds, next: next === undefined ? null : nameCursorOf(next) };
  }
}
