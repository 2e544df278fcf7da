import { Controller, Get, Query, Req } from '@nestjs/common';
import { RejectedRecords, type RejectedRecord } from '@ringdown/bus';
import { validated } from '@ringdown/http-server';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../calls/report-source.js';
import { queryErrors } from '../errors.js';
import { fromBus } from './bus-fault.js';
import { IdentitiesParameter, IdentityViews, type Identities, type IdentityView } from './identities.js';
import { LimitQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

type RejectedItem = Omit<RejectedRecord, 'receivedAt' | 'body'> & {
  readonly receivedAt: string;
  /** Null where users are hidden: where they stand in a text that could not be read, nobody knows. */
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
  async list(@Query() query: unknown, @Req() request: FastifyRequest): Promise<{ items: readonly RejectedItem[] }> {
    const { limit, identities } = validated(RejectedQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const view = this.identities.of(request, identities);
    return { items: (await fromBus(this.rejected.latest(limit))).map((each) => itemOf(each, view)) };
  }
}

function itemOf({ receivedAt, path, reason, body, ...rest }: RejectedRecord, view: IdentityView): RejectedItem {
  return {
    receivedAt: isoTime(receivedAt),
    ...rest,
    path: view.text(path),
    reason: view.text(reason),
    body: view.isShown ? body : null,
  };
}
