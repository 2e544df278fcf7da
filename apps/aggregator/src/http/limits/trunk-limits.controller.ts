import type { TrunkLimit as ShownLimit, TrunkLimitList } from '@ringdown/answers/limits';
import { Body, Controller, Delete, Get, Headers, HttpCode, Inject, Param, Put, Query, Req, Res } from '@nestjs/common';
import { hasMark, IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, type Logger } from '@ringdown/observability';
import { NeedsRole, requestPrincipal } from '@ringdown/token-validation';
import { checkMatch, InterfaceError, rejectParameter, requireMatch } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoTime } from '../../calls/streams/report-source.js';
import { queryErrors } from '../../errors.js';
import { TrunkLimits, type TrunkLimit } from '../../store/limits/trunk-limits.js';
import { MOST_TRUNK_LIMITS } from '../../settings/user-limit-settings.js';
import { countedValue } from '../../store/statistics/dimensions.js';
import { NoQuery } from '../../search/filter/limit-query.js';
import { fromDatabase } from '../database-fault.js';
import { NameSearches } from '../filters/name-searches.js';
import { OperatorsOnly } from '../operator-guard.js';
import { TrunkLimitInput } from './trunk-limit-input.js';

const LONGEST_NAME = 255;
const NO_LIMIT = 'This trunk has no limit that could be changed; leave out If-Match to set one.';

/** How many calls each trunk may have at the same time. Operators read the limits, admins set them. */
@Controller('api/limits/trunk')
@OperatorsOnly()
export class TrunkLimitsController {
  constructor(
    private readonly limits: TrunkLimits,
    private readonly nameSearches: NameSearches,
    private readonly hiding: IdentityHiding,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Get()
  async list(@Query() _query: NoQuery, @Req() request: FastifyRequest): Promise<TrunkLimitList> {
    const limits = await fromDatabase(this.limits.all());
    return { items: limits.map((limit) => this.shown(limit, request)) };
  }

  @Get(':name')
  async one(
    @Param('name') name: string,
    @Query() _query: NoQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownLimit> {
    return this.answer(await this.find(name, request), request, reply);
  }

  @Put(':name')
  @NeedsRole('admin')
  async set(
    @Param('name') name: string,
    @Body() { calls }: TrunkLimitInput,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ShownLimit> {
    const all = await fromDatabase(this.limits.all());
    const before = this.named(all, name, request);
    const after =
      before === undefined
        ? await this.create(name, calls, ifMatch, all.length, request)
        : await this.change(before, calls, ifMatch, request);
    if (after === undefined) throw new InterfaceError(queryErrors.preconditionFailed);
    this.log(after.trunk, { calls, before: before?.calls ?? null }, request);
    if (before === undefined) void reply.status(201);
    return this.answer(after, request, reply);
  }

  @Delete(':name')
  @NeedsRole('admin')
  @HttpCode(204)
  async remove(
    @Param('name') name: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const limit = await this.find(name, request);
    checkMatch(ifMatch, limit.revision);
    if (!(await fromDatabase(this.limits.delete(limit)))) throw new InterfaceError(queryErrors.preconditionFailed);
    this.log(limit.trunk, { calls: null, before: limit.calls }, request);
  }

  /** Undefined when another admin was faster. */
  private create(
    name: string,
    calls: number,
    ifMatch: string | undefined,
    count: number,
    request: FastifyRequest,
  ): Promise<TrunkLimit | undefined> {
    if (ifMatch !== undefined) throw new InterfaceError(queryErrors.preconditionFailed, { message: NO_LIMIT });
    checkName(name);
    this.nameSearches.admit(request, { trunk: name });
    if (count >= MOST_TRUNK_LIMITS) throw new InterfaceError(queryErrors.tooManyLimits);
    const { username } = requestPrincipal(request);
    return fromDatabase(this.limits.create({ trunk: countedValue('trunk', name), calls, changedBy: username }));
  }

  private change(
    before: TrunkLimit,
    calls: number,
    ifMatch: string | undefined,
    request: FastifyRequest,
  ): Promise<TrunkLimit | undefined> {
    requireMatch(ifMatch, before.revision);
    return fromDatabase(this.limits.change(before, calls, requestPrincipal(request).username));
  }

  private async find(name: string, request: FastifyRequest): Promise<TrunkLimit> {
    const limit = this.named(await fromDatabase(this.limits.all()), name, request);
    if (limit === undefined) throw new InterfaceError(queryErrors.noSuchLimit);
    return limit;
  }

  /** By the name that this operator sees: another one would tell whose it is. */
  private named(limits: readonly TrunkLimit[], name: string, request: FastifyRequest): TrunkLimit | undefined {
    const wanted = countedValue('trunk', name);
    return limits.find(
      ({ trunk }) => countedValue('trunk', this.nameSearches.shown(request, 'trunk', trunk)) === wanted,
    );
  }

  private shown({ trunk, calls, changedAt, revision }: TrunkLimit, request: FastifyRequest): ShownLimit {
    const name = this.nameSearches.shown(request, 'trunk', trunk);
    return { trunk: name, calls, etag: revision, changedAt: isoTime(changedAt.getTime()) };
  }

  private answer(limit: TrunkLimit, request: FastifyRequest, reply: FastifyReply): ShownLimit {
    void reply.header('etag', `"${limit.revision}"`).header('cache-control', 'no-store');
    return this.shown(limit, request);
  }

  private log(trunk: string, change: object, request: FastifyRequest): void {
    const admin = requestPrincipal(request).username;
    this.logger.info(
      { admin, trunk: this.hiding.field(trunk, 'trunk'), ...change },
      'the limit of a trunk has changed',
    );
  }
}

/** Throws a {@link Fault} when no trunk can have the name. */
function checkName(name: string): void {
  if (name.trim() === '' || name.length > LONGEST_NAME || name.includes('\0'))
    rejectParameter('name', `name must be the name of a trunk, ${LONGEST_NAME} characters at most`, 'text');
  if (hasMark(name))
    rejectParameter('name', 'name must be the name of the trunk, not what is shown in its place', 'text');
}
