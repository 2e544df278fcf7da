import { Controller, Get, Param, Query } from '@nestjs/common';
import { InterfaceError, validated } from '@ringdown/http-server';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryErrors } from '../errors.js';
import { Refusals } from '../feed/refusals.js';
import { ACTIVITY_DAYS, type Activity } from '../store/front-end-activity.js';
import { FrontEndQueries, type FrontEnd } from '../store/front-ends.js';
import { nameCursorOf, nameOf } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { Digits, PageQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

/** A front end with how many of the refused bodies that are kept name it; null while the bus does not tell. */
type FrontEndItem = FrontEnd & { readonly rejected: number | null };

const hoursRange = { message: `hours must be a whole number from 1 to ${ACTIVITY_DAYS * 24}` };
const gapRange = { message: 'gapSeconds must be a whole number from 60 to 86400' };

class HealthQuery {
  @IsOptional()
  @Digits()
  @IsInt(hoursRange)
  @Min(1, hoursRange)
  @Max(ACTIVITY_DAYS * 24, hoursRange)
  hours = 24;

  @IsOptional()
  @Digits()
  @IsInt(gapRange)
  @Min(60, gapRange)
  @Max(86_400, gapRange)
  gapSeconds = 900;
}

@Controller('api/front-ends')
@OperatorsOnly()
export class FrontEndsController {
  constructor(
    private readonly queries: FrontEndQueries,
    private readonly refusals: Refusals,
  ) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly FrontEndItem[]; next: string | null }> {
    const { limit, cursor } = validated(PageQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const after = cursor === undefined ? undefined : nameOf(cursor);
    const { frontEnds, next } = await fromDatabase(this.queries.page(limit, after));
    const items = await Promise.all(frontEnds.map((frontEnd) => this.withRefusals(frontEnd)));
    return { items, next: next === undefined ? null : nameCursorOf(next) };
  }

  @Get(':name')
  async one(@Param('name') name: string, @Query() query: unknown): Promise<FrontEndItem & { activity: Activity }> {
    const { hours, gapSeconds } = validated(HealthQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    // PostgreSQL has no such character in its texts, XML neither.
    const health = name.includes('\0')
      ? undefined
      : await fromDatabase(this.queries.health({ name, hours, gapSeconds }));
    if (health === undefined) throw new InterfaceError(queryErrors.noSuchFrontEnd);
    return this.withRefusals(health);
  }

  private async withRefusals<F extends FrontEnd>(frontEnd: F): Promise<F & { readonly rejected: number | null }> {
    return { ...frontEnd, rejected: await this.refusals.of(frontEnd.name) };
  }
}
