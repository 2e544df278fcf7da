import type { CallMetrics } from '@ringdown/answers/quality';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { LOGGER, type Logger } from '@ringdown/observability';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callKey } from '../calls/call-keys.js';
import type { StreamPoint } from '../calls/streams/metric-series.js';
import { queryErrors } from '../errors.js';
import type { FollowedItems } from '../live/item-reader.js';
import { LiveMetrics } from '../live/live-metrics.js';
import { CallLevels } from '../store/calls/call-levels.js';
import { CallQueries } from '../store/calls/call-queries.js';
import { CallIdParameter } from './call-id-parameter.js';
import { fromDatabase } from './database-fault.js';
import { IdentitiesQuery, IdentityViews, type IdentityView } from '../search/names/identities.js';
import { LiveStream } from './live-stream.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';

/** The metrics of one call over time. */
@Controller('api/calls/:callId/metrics')
@OperatorsOnly()
export class CallMetricsController {
  constructor(
    private readonly levels: CallLevels,
    private readonly calls: CallQueries,
    private readonly identities: IdentityViews,
    private readonly nameSearches: NameSearches,
    private readonly live: LiveMetrics,
    private readonly liveStream: LiveStream,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  async list(
    @CallIdParameter() callId: string,
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
  ): Promise<CallMetrics> {
    const view = this.identities.of(request, identities);
    const series = await fromDatabase(this.levels.series(await this.idOf(callId, request)));
    if (series === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    return { items: await view.all(series) };
  }

  @Get('stream')
  async stream(
    @CallIdParameter() callId: string,
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const view = this.identities.of(request, identities);
    const { live, logger } = this;
    const id = await this.idOf(callId, request);
    const read = (): Promise<FollowedItems> => this.read(id, view);
    await this.liveStream.serveWith(request, reply, { isShown: view.isShown, isFull: live.isFull }, (reader) =>
      live.follow({ ...reader, event: 'point', read, logger }),
    );
  }

  private async read(id: string, view: IdentityView): Promise<FollowedItems> {
    const points = await fromDatabase(this.levels.points(id));
    if (points === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    const items = points.map((each) => ({ id: each.id, revision: 1, text: () => streamPointText(each.point(), view) }));
    return { callKeys: new Set([callKey(id)]), items };
  }

  /** The CallId of the requested call, which is given by its CallId or by the mark that is shown instead. */
  private idOf(callId: string, request: FastifyRequest): Promise<string> {
    this.nameSearches.admit(request, { callId });
    return fromDatabase(this.calls.callIdOf(callId));
  }
}

async function streamPointText(point: StreamPoint, view: IdentityView): Promise<string> {
  const [shown] = await view.all([point]);
  return JSON.stringify(shown);
}
