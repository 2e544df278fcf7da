import type { CallSurroundings as CallSurroundingsAnswer } from '@ringdown/answers/statistics';
import { Controller, Get, Query, Req } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { FastifyRequest } from 'fastify';
import { callKey } from '../../calls/call-keys.js';
import { queryErrors } from '../../errors.js';
import { NoQuery } from '../../search/filter/limit-query.js';
import { CallQueries } from '../../store/calls/call-queries.js';
import { CallSurroundings, PROBLEM_SEARCHES } from '../../store/statistics/call-surroundings.js';
import { CallIdParameter } from '../call-id-parameter.js';
import { fromDatabase } from '../database-fault.js';
import { NameSearches } from '../filters/name-searches.js';
import { OperatorsOnly } from '../operator-guard.js';
import { ReportsReadLag } from '../read-lag.interceptor.js';

/** Whether it was only this call. */
@Controller('api/calls/:callId/surroundings')
@OperatorsOnly()
@ReportsReadLag()
export class SurroundingsController {
  constructor(
    private readonly queries: CallQueries,
    private readonly surroundings: CallSurroundings,
    private readonly nameSearches: NameSearches,
  ) {}

  @Get()
  async read(
    @CallIdParameter() callId: string,
    @Query() _query: NoQuery,
    @Req() request: FastifyRequest,
  ): Promise<CallSurroundingsAnswer> {
    this.nameSearches.admit(request, { callId });
    const key = callKey(await fromDatabase(this.queries.callIdOf(callId)));
    const found = await fromDatabase(this.surroundings.of(key));
    if (found === undefined) throw new InterfaceError(queryErrors.noSuchCall);
    const { from, to, problem, items } = found;
    return {
      from,
      to,
      items: items.map(({ dimension, value, hour, usual }) => {
        // Sites are our own; senders choose the texts of all others.
        const shown = dimension === 'site' ? value : this.nameSearches.shown(request, dimension, value);
        const search = { [dimension]: shown, ...PROBLEM_SEARCHES[problem], uploads: 'exclude', from, to };
        return { dimension, value: shown, problem, hour, usual, search };
      }),
    };
  }
}
