import type { FailingPeerList, SipFailureList } from '@ringdown/answers/statistics';
import { Controller, Get, Query, Req } from '@nestjs/common';
import { WATCHED_METHODS } from '@ringdown/contracts/sip-failures';
import type { FastifyRequest } from 'fastify';
import { FailingPeerQueries } from '../sip-failures/failing-peers.js';
import { SipFailureQueries } from '../sip-failures/sip-failure-queries.js';
import { fromDatabase } from './database-fault.js';
import { IdentityViews } from '../search/names/identities.js';
import { LimitQuery } from '../search/filter/limit-query.js';
import { requestedPeriod } from '../search/filter/requested-period.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';
import { Moment, ShortTexts, SomeOf } from '../search/filter/query-fields.js';

const DAY_MS = 86_400_000;

/** Parameters of `GET /api/sip-failures`. */
class SipFailuresQuery extends LimitQuery {
  @Moment()
  from?: Date;

  @Moment()
  to?: Date;

  @SomeOf(WATCHED_METHODS)
  method?: readonly string[];

  @ShortTexts('statuses like 403, none or other', 8)
  status?: readonly string[];

  @ShortTexts('IP addresses, or other', 45)
  peer?: readonly string[];

  @ShortTexts('names of front ends', 255)
  frontEnd?: readonly string[];
}

/** Parameters of `GET /api/sip-failures/peers`. */
class FailingPeersQuery extends LimitQuery {
  @ShortTexts('names of front ends', 255)
  frontEnd?: readonly string[];
}

/** Failed SIP requests outside of calls: registrations, pings, messages and subscriptions. */
@Controller('api/sip-failures')
@OperatorsOnly()
export class SipFailuresController {
  constructor(
    private readonly queries: SipFailureQueries,
    private readonly peerQueries: FailingPeerQueries,
    private readonly identities: IdentityViews,
    private readonly nameSearches: NameSearches,
  ) {}

  @Get()
  async list(@Query() query: SipFailuresQuery, @Req() request: FastifyRequest): Promise<SipFailureList> {
    const { from, to, frontEnd, ...rest } = query;
    this.nameSearches.admit(request, frontEnd === undefined ? {} : { frontEnd });
    const view = this.identities.of(request);
    const period = requestedPeriod({ from, to }, Date.now(), DAY_MS);
    const { items, ...counts } = await fromDatabase(this.queries.list({ ...rest, frontEnd, ...period }));
    return { ...counts, items: items.map((item) => ({ ...item, frontEnd: view.frontEnd(item.frontEnd) })) };
  }

  /** In the last hour: which devices and trunks fail, and which come and go. */
  @Get('peers')
  async peers(
    @Query() { limit, frontEnd }: FailingPeersQuery,
    @Req() request: FastifyRequest,
  ): Promise<FailingPeerList> {
    this.nameSearches.admit(request, frontEnd === undefined ? {} : { frontEnd });
    const view = this.identities.of(request);
    const shown = (field: 'trunk' | 'userAgent', text: string | null): string | null =>
      text === null ? null : this.nameSearches.shown(request, field, text);
    const { items, ...list } = await fromDatabase(this.peerQueries.list(Date.now(), limit, frontEnd));
    return {
      ...list,
      items: items.map((item) => ({
        ...item,
        frontEnds: item.frontEnds.map((name) => view.frontEnd(name)),
        trunk: shown('trunk', item.trunk),
        userAgent: shown('userAgent', item.userAgent),
      })),
    };
  }
}
