import type { CallPage, CallWithRecords } from '@ringdown/answers/call-answers';
import type { TimelinePage } from '@ringdown/answers/records';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callKey } from '../calls/call-keys.js';
import { withSites } from '../search/sites/site-table.js';
import { Sites } from '../search/sites/sites.js';
import { queryErrors } from '../errors.js';
import { CallCourseQueries } from '../store/calls/call-course-queries.js';
import { endOfPage } from '../store/calls/call-page.js';
import { CallLevels } from '../store/calls/call-levels.js';
import { CallQueries } from '../store/calls/call-queries.js';
import { OperatorFilters } from './filters/operator-filters.js';
import { CallIdParameter } from './call-id-parameter.js';
import { CallListQuery, TimelineQuery } from '../search/query/call-list-query.js';
import { Cursors, wrongCursor } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesQuery, IdentityViews } from '../search/names/identities.js';
import { listedCall } from './listed-call.js';
import { LiveStream } from './live-stream.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';

@Controller('api/calls')
@OperatorsOnly()
export class CallsController {
  constructor(
    private readonly queries: CallQueries,
    private readonly courses: CallCourseQueries,
    private readonly levels: CallLevels,
    private readonly sites: Sites,
    private readonly liveStream: LiveStream,
    private readonly identities: IdentityViews,
    private readonly filters: OperatorFilters,
    private readonly nameSearches: NameSearches,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(@Query() list: CallListQuery, @Req() request: FastifyRequest): Promise<CallPage> {
    const { sort, limit, cursor } = list;
    const view = this.identities.of(request, list.identities);
    const filter = this.filters.of(list, request);
    const after = cursor === undefined ? undefined : this.cursors.position(cursor, { filter, sort });
    const { calls, next } = await fromDatabase(this.queries.page(filter, sort, limit, after));
    const shown = await view.page(calls.map(listedCall));
    const items = shown.map((call) => withSites(call, this.sites));
    const last = items.length < calls.length ? calls[items.length - 1] : undefined;
    const end = last === undefined ? next : endOfPage(last, sort);
    return { items, next: end ? this.cursors.ofCalls(end, { filter, sort }) : null };
  }

  @Get('stream')
  async stream(
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.liveStream.serve(request, reply, this.identities.of(request, identities));
  }

  @Get(':callId')
  async one(
    @CallIdParameter() callId: string,
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
  ): Promise<CallWithRecords> {
    const view = this.identities.of(request, identities);
    const id = await this.idOf(callId, request);
    const found = await fromDatabase(this.queries.byId(id, view.isShown ? 'xml' : 'content'));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    return withSites(this.levels.of(await view.call(found)), this.sites);
  }

  @Get(':callId/timeline')
  async timeline(
    @CallIdParameter() callId: string,
    @Query() { limit, cursor, identities }: TimelineQuery,
    @Req() request: FastifyRequest,
  ): Promise<TimelinePage> {
    const view = this.identities.of(request, identities);
    const id = await this.idOf(callId, request);
    const list = `timeline of ${callKey(id)}`;
    const after = cursor === undefined ? undefined : this.cursors.name(cursor, list);
    const page = await fromDatabase(this.courses.page(id, limit, after));
    if (page === 'no-call') throw new InterfaceError(queryErrors.noSuchCall);
    if (page === 'no-record') throw wrongCursor();
    const items = await view.page(page.items);
    const end = items.length < page.items.length ? page.digests[items.length - 1] : page.next;
    return { items, next: end === undefined ? null : this.cursors.ofName(end, list) };
  }

  /** The CallId of the requested call, which is given by its CallId or by the mark that is shown instead. */
  private idOf(callId: string, request: FastifyRequest): Promise<string> {
    this.nameSearches.admit(request, { callId });
    return fromDatabase(this.queries.callIdOf(callId));
  }
}
