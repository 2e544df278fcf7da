import { Controller, Get, Query } from '@nestjs/common';
import { RejectedRecords, type RejectedRecord } from '@ringdown/bus';
import { Fault, validated } from '@ringdown/http-server';
import { isoTime } from '../calls/report-source.js';
import { queryErrors } from '../errors.js';
import { LimitQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

type RejectedItem = Omit<RejectedRecord, 'receivedAt'> & { readonly receivedAt: string };

@Controller('api/rejected-records')
@OperatorsOnly()
export class RejectedRecordsController {
  constructor(private readonly rejected: RejectedRecords) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly RejectedItem[] }> {
    const { limit } = validated(LimitQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    return { items: (await this.latest(limit)).map((each) => ({ ...each, receivedAt: isoTime(each.receivedAt) })) };
  }

  private async latest(limit: number): Promise<readonly RejectedRecord[]> {
    try {
      return await this.rejected.latest(limit);
    } catch (cause) {
      throw new Fault('unavailable', {
        message: 'The message bus does not answer.',
        headers: { 'retry-after': '2' },
        cause,
      });
    }
  }
}
