import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { InterfaceError, validated } from '@ringdown/http-server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CourseItem } from '../calls/call-course.js';
import type { Call } from '../calls/call.js';
import { queryErrors } from '../errors.js';
import { CallCourseQueries } from '../store/call-course-queries.js';
import { CallQueries } from '../store/call-queries.js';
import { CallFilters } from './call-filter-query.js';
import { CallListQuery, TimelineQuery } from './call-list-query.js';
import { cursorOf, nameCursorOf, nameOf, positionOf, wrongCursor } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesQuery, IdentityViews, type ShownCall } from './identities.js';
import { LiveStream } from './live-stream.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/calls')
@OperatorsOnly()
export class CallsController {
  constructor(
    private readonly queries: CallQueries,
    private readonly courses: CallCourseQueries,
    private readonly liveStream: LiveStream,
    private readonly identities: IdentityViews,
    private readonly filters: CallFilters,
  ) {}

  @Get()
  async list(
    @Query() query: unknown,
    @Req() request: FastifyRequest,
  ): Promise<{ items: readonly Call[]; next: string | null }> {
    const list = validated(CallListQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const { sort, limit, cursor } = list;
    const view = this.identities.of(request, list.identities);
    const filter = this.filters.of(list);
    const after = cursor === undefined ? undefined : positionOf(cursor, { filter, sort });
    const { calls, next } = await fromDatabase(this.queries.page(filter, sort, limit, after));
    return { items: view.data(calls), next: next ? cursorOf(next, { filter, sort }) : null };
  }

  @Get('stream')
  async stream(@Query() query: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { identities } = validated(IdentitiesQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    await this.liveStream.serve(request, reply, this.identities.of(request, identities));
  }

  @Get(':callId')
  async one(
    @Param('callId') callId: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
  ): Promise<ShownCall> {
    const { identities } = validated(IdentitiesQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const view = this.identities.of(request, identities);
    const found = await fromDatabase(this.queries.byId(callId, view.isShown ? 'xml' : 'content'));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    return view.call(found);
  }

  @Get(':callId/timeline')
  async timeline(
    @Param('callId') callId: string,
    @Query() query: unknown,
    @Req() request: FastifyRequest,
  ): Promise<{ items: readonly CourseItem[]; next: string | null }> {
    const { limit, cursor, identities } = validated(TimelineQuery, query, queryErrors.badParameter, {
      unknown: 'refuse',
    });
    const view = this.identities.of(request, identities);
    const after = cursor === undefined ? undefined : nameOf(cursor);
    const page = await fromDatabase(this.courses.page(callId, limit, after));
    if (page === 'no-call') throw new InterfaceError(queryErrors.noSuchCall);
    if (page === 'no-record') throw wrongCursor();
    return { items: view.data(page.items), next: page.next === undefined ? null : nameCursorOf(page.next) };
  }
}
