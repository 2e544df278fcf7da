import type { FrontEndHealth, FrontEndPage } from '@ringdown/answers/front-ends';
import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import { WholeNumber } from '@ringdown/web-server/input';
import { hasMark } from '@ringdown/identity-hiding';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../errors.js';
import { AnswersOfCollectors, type AnswersTo, type CollectorAnswers } from '../feed/collector-answers.js';
import { RejectedCounts } from '../feed/rejected-counts.js';
import { ACTIVITY_DAYS } from '../store/feed/front-end-activity.js';
import { frontEndKey } from '../calls/call-keys.js';
import { isShownAs } from '../search/filter/chosen-front-ends.js';
import { FrontEndQueries, type FrontEnd } from '../store/feed/front-ends.js';
import { Cursors } from './cursor.js';
import { fromDatabase } from './database-fault.js';
import { IdentityViews, type IdentityView } from '../search/names/identities.js';
import { PageQuery } from '../search/filter/limit-query.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorsOnly } from './operator-guard.js';

/** What the bus knows of a front end; null while the bus does not reply. */
interface BusFacts {
  /** How many of the stored rejected bodies name it. */
  readonly rejected: number | null;
  /** `Count` of each running collector that has replied to it. */
  readonly answers: readonly CollectorAnswers[] | null;
}

/** The list that its cursors belong to. */
const LIST = 'front ends';

class HealthQuery {
  @WholeNumber(1, ACTIVITY_DAYS * 24)
  hours = 24;

  @WholeNumber(60, 86_400)
  gapSeconds = 900;
}

@Controller('api/front-ends')
@OperatorsOnly()
export class FrontEndsController {
  constructor(
    private readonly queries: FrontEndQueries,
    private readonly rejectedCounts: RejectedCounts,
    private readonly answers: AnswersOfCollectors,
    private readonly identities: IdentityViews,
    private readonly nameSearches: NameSearches,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  async list(@Query() { limit, cursor }: PageQuery, @Req() request: FastifyRequest): Promise<FrontEndPage> {
    const view = this.identities.of(request);
    const after = cursor === undefined ? undefined : this.cursors.name(cursor, LIST);
    const { frontEnds, next } = await fromDatabase(this.queries.page(limit, after));
    const answersTo = await this.answers.to(frontEnds.map(({ name }) => name));
    const items = await Promise.all(frontEnds.map((frontEnd) => this.item(frontEnd, answersTo, view)));
    return { items, next: next === undefined ? null : this.cursors.ofName(next, LIST) };
  }

  @Get(':name')
  async one(
    @Param('name') shown: string,
    @Query() { hours, gapSeconds }: HealthQuery,
    @Req() request: FastifyRequest,
  ): Promise<FrontEndHealth> {
    this.nameSearches.admit(request, { frontEnd: shown });
    const name = hasMark(shown) ? await this.nameBehind(shown) : shown;
    // PostgreSQL does not allow this character in texts, nor does XML.
    const health = name.includes('\0')
      ? undefined
      : await fromDatabase(this.queries.health({ name, hours, gapSeconds }));
    if (health === undefined) throw new InterfaceError(queryErrors.noSuchFrontEnd);
    return this.item(health, await this.answers.to([health.name]), this.identities.of(request));
  }

  /** The name of the front end for which this text with a mark is shown. */
  private async nameBehind(mark: string): Promise<string> {
    const names = await fromDatabase(this.queries.names());
    const { hidden } = this.identities;
    const shown = new Set([frontEndKey(mark)]);
    return names.find((name) => isShownAs(name, shown, (each) => hidden.frontEnd(each))) ?? mark;
  }

  private async item<F extends FrontEnd>(frontEnd: F, answersTo: AnswersTo, view: IdentityView): Promise<F & BusFacts> {
    const { name } = frontEnd;
    return {
      ...frontEnd,
      name: view.frontEnd(name),
      rejected: await this.rejectedCounts.of(name),
      answers: answersTo(name),
    };
  }
}
