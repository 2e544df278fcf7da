import type { RejectedRecord as RejectedItem, RejectedRecords as RejectedList } from '@ringdown/answers/front-ends';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { RejectedRecords } from '@ringdown/feed-bus';
import { rejectParameter } from '@ringdown/web-server/errors';
import type { FastifyRequest } from 'fastify';
import { frontEndKey } from '../calls/call-keys.js';
import { isoTime } from '../calls/streams/report-source.js';
import { rejectedFeedKey } from '../feed/rejected-counts.js';
import { fromBus } from './bus-fault.js';
import { IdentitiesParameter, IdentityViews, type Identities } from '../search/names/identities.js';
import { isShownAs } from '../search/filter/chosen-front-ends.js';
import { LimitQuery } from '../search/filter/limit-query.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';
import { Moment, ShortTexts } from '../search/filter/query-fields.js';

class RejectedQuery extends LimitQuery {
  @IdentitiesParameter()
  identities?: Identities;

  @Moment()
  from?: Date;

  @Moment()
  to?: Date;

  @ShortTexts('codes of rejected records', 64)
  code?: readonly string[];

  @ShortTexts('names of front ends', 255)
  frontEnd?: readonly string[];
}

@Controller('api/rejected-records')
@OperatorsOnly()
export class RejectedRecordsController {
  constructor(
    private readonly rejected: RejectedRecords,
    private readonly identities: IdentityViews,
    private readonly nameSearches: NameSearches,
  ) {}

  @Get()
  async list(@Query() query: RejectedQuery, @Req() request: FastifyRequest): Promise<RejectedList> {
    const { limit, identities, frontEnd, from, to } = query;
    this.nameSearches.admit(request, frontEnd === undefined ? {} : { frontEnd });
    if (from && to && from >= to) rejectParameter('to', 'to must be after from', 'order');
    const view = this.identities.of(request, identities);
    const found = await fromBus(this.rejected.latest(limit, this.filterOf(query)));
    return { items: await view.all(found.map((each) => rejectedItem(each, view.isShown))) };
  }

  private filterOf({ from, to, code, frontEnd }: RejectedQuery): (rejected: RejectedRecord) => boolean {
    const { hidden } = this.identities;
    const keys = new Set(frontEnd?.map(frontEndKey));
    const isOfFeed = (feed: string): boolean =>
      keys.has(feed) || isShownAs(feed, keys, (name) => hidden.frontEnd(name));
    const [since, until] = [from?.getTime() ?? -Infinity, to?.getTime() ?? Infinity];
    return (rejected) =>
      rejected.receivedAt >= since &&
      rejected.receivedAt < until &&
      code?.includes(rejected.code) !== false &&
      // Its feed is searched for in the body.
      (frontEnd === undefined || isOfFeed(rejectedFeedKey(rejected)));
  }
}

function rejectedItem(rejected: RejectedRecord, isShown: boolean): RejectedItem {
  const { receivedAt, remoteAddress, certificateSubject = null, path, code, reason, body } = rejected;
  return {
    receivedAt: isoTime(receivedAt),
    remoteAddress: remoteAddress === '' ? null : remoteAddress,
    certificateSubject,
    path,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- collectors write the codes of their refusals
    code: code as RejectedItem['code'],
    reason,
    // In a text that could not be parsed, it is not known where users are named.
    body: isShown ? body : null,
  };
}
