import { Controller, Get, Param, Query } from '@nestjs/common';
import { InterfaceError, validated } from '@ringdown/http-server';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { queryErrors } from '../errors.js';
import { AnswersOfCollectors, type AnswersTo, type CollectorAnswers } from '../feed/collector-answers.js';
import { Refusals } from '../feed/refusals.js';
import { ACTIVITY_DAYS, type Activity } from '../store/front-end-activity.js';
import { FrontEndQueries, type FrontEnd } from '../store/front-ends.js';
import { nameCursorOf, nameOf } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { Digits, PageQuery } from './limit-query.js';
import { OperatorsOnly } from './operator-guard.js';

/** What the bus knows of a front end; null while it does not tell. */
interface OnTheBus {
  /** How many of the refused bodies that are kept name it. */
  readonly rejected: number | null;
  /** `Count` of each running collector that has answered it. */
  readonly answers: readonly CollectorAnswers[] | null;
}

type FrontEndItem = FrontEnd & OnTheBus;

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
    private readonly answers: AnswersOfCollectors,
  ) {}

  @Get()
  async list(@Query() query: unknown): Promise<{ items: readonly FrontEndItem[]; next: string | null }> {
    const { limit, cursor } = validated(PageQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const after = cursor === undefined ? undefined : nameOf(cursor);
    const { frontEnds, next } = await fromDatabase(this.queries.page(limit, after));
    const answersTo = await this.answers.to(frontEnds.map(({ name }) => name));
    const items = await Promise.all(frontEnds.map((frontEnd) => this.item(frontEnd, answersTo)));
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
    return this.item(health, await this.answers.to([health.name]));
  }

  private async item<F extends FrontEnd>(frontEnd: F, answersTo: AnswersTo): Promise<F & OnTheBus> {
    return { ...frontEnd, rejected: await this.refusals.of(frontEnd.name), answers: answersTo(frontEnd.name) };
  }
}
