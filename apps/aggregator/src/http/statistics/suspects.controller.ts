import type { CountedSuspect, Suspect, SuspectList, SuspectValue } from '@ringdown/answers/suspects';
import type { SuspectDimension } from '@ringdown/call-catalogue/filters';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { CountedFact, Fact } from '@ringdown/quality/suspects';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../../calls/streams/report-source.js';
import { ClockWatch } from '../../feed/clock-watch.js';
import { Suspects, type FoundSuspect } from '../../store/statistics/suspects/suspects.js';
import { fromDatabase } from '../database-fault.js';
import { NameSearches } from '../filters/name-searches.js';
import { OperatorFilters } from '../filters/operator-filters.js';
import { OperatorsOnly } from '../operator-guard.js';
import { ReportsReadLag } from '../read-lag.interceptor.js';
import { statisticsPeriod } from './statistics-query.js';
import { isSearchable, suspectSearch, type ShowValue } from './suspect-search.js';
import { SuspectsQuery } from './suspects-query.js';

/** Each, so that one cause cannot fill the screen. */
const MOST_NAMED = 5;

@Controller('api/suspects')
@OperatorsOnly()
@ReportsReadLag()
export class SuspectsController {
  constructor(
    private readonly suspects: Suspects,
    private readonly filters: OperatorFilters,
    private readonly nameSearches: NameSearches,
    private readonly clocks: ClockWatch,
  ) {}

  @Get()
  async list(@Query() query: SuspectsQuery, @Req() request: FastifyRequest): Promise<SuspectList> {
    const filter = this.filters.withoutUploads(query, request);
    const period = statisticsPeriod(filter, this.clocks.now());
    const show = this.showingTo(request);
    const found = await fromDatabase(
      this.suspects.find({
        filter: { ...filter, ...period },
        limit: query.limit,
        isSearchable: (fact) => isSearchable(query, fact, show),
      }),
    );
    const { overall, usual, tested, bucketSeconds, oneOf, suspects } = found;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parameters as they were given; each is looked at before it is used
    const given = request.query as Readonly<Record<string, unknown>>;
    return {
      from: isoTime(period.from.getTime()),
      to: isoTime(period.to.getTime()),
      overall,
      usual,
      tested,
      sampled: oneOf === 1 ? null : 1 / oneOf,
      bucketSeconds,
      items: suspects.map((suspect) => {
        return { ...suspectView(suspect, show), search: suspectSearch(given, period, suspect, show) };
      }),
    };
  }

  /** Senders choose the texts of values; sites and subnets are our own. */
  private showingTo(request: FastifyRequest): ShowValue {
    return (field, value) =>
      field === 'site' || field === 'subnet' ? value : this.nameSearches.shown(request, field, value);
  }
}

function suspectView(suspect: FoundSuspect, show: ShowValue): Omit<Suspect, 'search'> {
  const { share, low, high, elsewhere, excess, evidence, onePerson, causes, same, explains, hours } = suspect;
  return {
    ...countedView(suspect, show),
    share,
    low,
    high,
    elsewhere,
    excess,
    evidence,
    onePerson,
    causes,
    same: same.slice(0, MOST_NAMED).map((fact) => valueView(fact, show)),
    explains: explains.slice(0, MOST_NAMED).map((fact) => countedView(fact, show)),
    hours: hours.map(({ at, calls, troubled }) => ({ at: isoTime(at), calls, bad: troubled })),
  };
}

function countedView(fact: CountedFact<SuspectDimension>, show: ShowValue): CountedSuspect {
  const { problem, calls, troubled } = fact;
  return { problem, ...valueView(fact, show), calls, bad: troubled };
}

function valueView({ dimension, value }: Fact<SuspectDimension>, show: ShowValue): SuspectValue {
  return { dimension, value: show(dimension, value) };
}
