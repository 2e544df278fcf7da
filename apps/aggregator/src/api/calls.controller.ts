import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { InterfaceError, validated } from '@ringdown/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../calls/call.js';
import { queryErrors } from '../errors.js';
import { CallQueries, type CallWithRecords } from '../store/call-queries.js';
import { filterOf } from './call-filter-query.js';
import { CallListQuery } from './call-list-query.js';
import { cursorOf, positionOf } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { noParameters } from './limit-query.js';
import { LiveStream } from './live-stream.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/calls')
@OperatorsOnly()
export class CallsController {
  constructor(
    private readonly queries: CallQueries,
    private readonly liveStream: LiveStream,
  ) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly Call[]; next: string | null }> {
    const list = validated(CallListQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const { sort, limit, cursor } = list;
    const filter = filterOf(list);
    const after = cursor === undefined ? undefined : positionOf(cursor, { filter, sort });
    const { calls, next } = await fromDatabase(this.queries.page(filter, sort, limit, after));
    return { items: calls, next: next ? cursorOf(next, { filter, sort }) : null };
  }

  @Get('stream')
  async stream(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    noParameters(query);
    await this.liveStream.serve(request, reply);
  }

  @Get(':callId')
  async one(@Param('callId') callId: string, @Query() query: unknown): Promise<Call & Omit<CallWithRecords, 'call'>> {
    noParameters(query);
    const found = await fromDatabase(this.queries.byId(callId));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    const { call, ...more } = found;
    return { ...call, ...more };
  }
}
