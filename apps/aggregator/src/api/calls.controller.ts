import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { InterfaceError, validated } from '@ringdown/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CourseItem } from '../calls/call-course.js';
import type { Call } from '../calls/call.js';
import { queryErrors } from '../errors.js';
import { CallCourseQueries } from '../store/call-course-queries.js';
import { CallQueries, type CallWithRecords } from '../store/call-queries.js';
import { filterOf } from './call-filter-query.js';
import { CallListQuery } from './call-list-query.js';
import { cursorOf, nameCursorOf, nameOf, positionOf, wrongCursor } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { noParameters, PageQuery } from './limit-query.js';
import { LiveStream } from './live-stream.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/calls')
@OperatorsOnly()
export class CallsController {
  constructor(
    private readonly queries: CallQueries,
    private readonly courses: CallCourseQueries,
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

  @Get(':callId/timeline')
  async timeline(
    @Param('callId') callId: string,
    @Query() query: unknown,
  ): Promise<{ items: readonly CourseItem[]; next: string | null }> {
    const { limit, cursor } = validated(PageQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const after = cursor === undefined ? undefined : nameOf(cursor);
    const page = await fromDatabase(this.courses.page(callId, limit, after));
    if (page === 'no-call') throw new InterfaceError(queryErrors.noSuchCall);
    if (page === 'no-record') throw wrongCursor();
    return { items: page.items, next: page.next === undefined ? null : nameCursorOf(page.next) };
  }
}
