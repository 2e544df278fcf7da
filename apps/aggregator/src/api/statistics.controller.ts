import { Controller, Get, Query } from '@nestjs/common';
import { validated } from '@ringdown/http-server';
import { isoTime } from '../calls/report-source.js';
import { queryErrors } from '../errors.js';
import type { Buckets } from '../store/buckets.js';
import type { Load } from '../store/concurrency.js';
import { Statistics, type Counts, type Dimension } from '../store/statistics.js';
import { filterOf } from './call-filter-query.js';
import { fromDatabase } from './database-fault.js';
import { OperatorsOnly } from './operator-guard.js';
import { bucketsOf, CountQuery, LoadQuery } from './statistics-query.js';

/** What was asked, with the defaults that were taken. */
interface Asked {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
}

@Controller('api/statistics')
@OperatorsOnly()
export class StatisticsController {
  constructor(private readonly statistics: Statistics) {}

  @Get('streams')
  async streams(@Query() query: unknown): Promise<Asked & { by: Dimension | null } & Counts> {
    const asked = validated(CountQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const { by, limit } = asked;
    const filter = filterOf(asked);
    const buckets = bucketsOf(asked);
    const counts = await fromDatabase(this.statistics.count({ filter, buckets, by, limit }));
    return { ...askedOf(buckets), by: by ?? null, ...counts };
  }

  @Get('load')
  async load(@Query() query: unknown): Promise<Asked & { items: readonly Load[] }> {
    const asked = validated(LoadQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const filter = filterOf(asked);
    const buckets = bucketsOf(asked);
    return { ...askedOf(buckets), items: await fromDatabase(this.statistics.load(filter, buckets)) };
  }
}

function askedOf({ from, to, seconds }: Buckets): Asked {
  return { from: isoTime(from.getTime()), to: isoTime(to.getTime()), bucketSeconds: seconds };
}
