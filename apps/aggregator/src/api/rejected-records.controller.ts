import { Controller, Get, Query, Req } from '@nestjs/common';
import type { SentBy } from '@ringdown/contracts/records';
import type { RejectedRecord } from '@ringdown/contracts/set-aside';
import { RejectedRecords } from '@ringdown/feed-bus';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../calls/report-source.js';
import { fromBus } from './bus-fault.js';
import { IdentitiesParameter, IdentityViews, type Identities } from './identities.js';
import { LimitQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

type RejectedItem = Omit<RejectedRecord, keyof SentBy | 'receivedAt' | 'body'> & {
  readonly receivedAt: string;
  /** Null for a message on the bus that does not name its sender. */
  readonly remoteAddress: string | null;
  readonly certificateSubject: string | null;
  /** Null where users are hidden: in a text that could not be parsed, it is not known where users are named. */
  readonly body: string | null;
};

class RejectedQuery extends LimitQuery {
  @IdentitiesParameter()
  identities?: Identities;
}

@Controller('api/rejected-records')
@OperatorsOnly()
export class RejectedRecordsController {
  constructor(
    private readonly rejected: RejectedRecords,
    private readonly identities: IdentityViews,
  ) {}

  @Get()
  async list(
    @Query() { limit, identities }: RejectedQuery,
    @Req() request: FastifyRequest,
  ): Promise<{ items: readonly RejectedItem[] }> {
    const view = this.identities.of(request, identities);
    const items = (await fromBus(this.rejected.latest(limit))).map((each) => itemOf(each, view.isShown));
    return { items: await view.all(items) };
  }
}

function itemOf(rejected: RejectedRecord, isShown: boolean): RejectedItem {
  const { receivedAt, remoteAddress, certificateSubject = null, body, ...rest } = rejected;
  return {
    receivedAt: isoTime(receivedAt),
    remoteAddress: remoteAddress === '' ? null : remoteAddress,
    certificateSubject,
    ...rest,
    body: isShown ? body : null,
  };
}
