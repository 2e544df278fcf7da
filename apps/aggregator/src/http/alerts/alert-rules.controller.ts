import type { AlertPreview, AlertRule, AlertRuleList, AlertTest } from '@ringdown/answers/alerts';
import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { requestPrincipal } from '@ringdown/token-validation';
import { checkMatch, InterfaceError, rejectParameter, requireMatch } from '@ringdown/web-server/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestedPeriod } from '../../search/filter/requested-period.js';
import { CallFilters } from '../../search/query/call-filter-query.js';
import { OperatorFilters } from '../filters/operator-filters.js';
import { fromDatabase } from '../database-fault.js';
import { IdentitiesQuery, isShown, type Identities } from '../../search/names/identities.js';
import { NameSearches } from '../filters/name-searches.js';
import { OperatorsOnly } from '../operator-guard.js';
import { ReportsReadLag } from '../read-lag.interceptor.js';
import { checkSearch } from '../../search/saved/saved-search-input.js';
import { isoTime } from '../../calls/streams/report-source.js';
import { queryErrors } from '../../errors.js';
import { ClockWatch } from '../../feed/clock-watch.js';
import { AlertPreviews } from '../../alerts/deciding/alert-preview.js';
import type { AlertRuleContent } from '../../alerts/rules/alert-rule.js';
import { AlertPreviewQuery, AlertRuleInput, ChangedRuleInput, checkSites, ruleIn } from './alert-rule-input.js';
import { AlertRuleViews } from '../../alerts/rules/alert-rule-views.js';
import { AlertReceivers } from '../../alerts/delivery/alert-receivers.js';
import { RuleTests } from './rule-tests.js';
import { AlertRules, type RuleToStore, type StoredRule } from '../../alerts/rules/alert-rules.js';
import { isFromFile } from '../../alerts/rules/rules-file.js';
import type { AlertDimension } from '@ringdown/call-catalogue/filters';
import type { PastAlert } from '../../alerts/past-alerts.js';

const WEEK_MS = 604_800_000;
const MOST_ALERTS = 200;

/** Rules are common to all operators. */
@Controller('api/alert-rules')
@OperatorsOnly()
export class AlertRulesController {
  constructor(
    private readonly rules: AlertRules,
    private readonly previews: AlertPreviews,
    private readonly filters: CallFilters,
    private readonly operatorFilters: OperatorFilters,
    private readonly nameSearches: NameSearches,
    private readonly views: AlertRuleViews,
    private readonly clocks: ClockWatch,
    private readonly tests: RuleTests,
    private readonly receivers: AlertReceivers,
  ) {}

  @Get()
  async list(@Query() { identities }: IdentitiesQuery, @Req() request: FastifyRequest): Promise<AlertRuleList> {
    const shown = isShown(request, identities);
    const rules = await fromDatabase(this.rules.all());
    return { items: rules.map((rule) => this.views.of(rule, shown)) };
  }

  @Post()
  async create(
    @Body() input: AlertRuleInput,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertRule> {
    const rule = await fromDatabase(this.rules.create(this.checked(input, request)));
    if (rule === undefined) throw new InterfaceError(queryErrors.tooManyRules);
    void reply.header('location', `/api/alert-rules/${rule.id}`);
    return this.show(rule, request, reply);
  }

  /** What a rule, which need not be stored, would have raised: in the last week, if no time is given. */
  @Post('preview')
  @ReportsReadLag()
  @HttpCode(200)
  async preview(
    @Body() input: AlertRuleInput,
    @Query() query: AlertPreviewQuery,
    @Req() request: FastifyRequest,
  ): Promise<AlertPreview> {
    const rule = this.checked(input, request);
    const { from, to } = previewPeriod(query, this.clocks.now());
    const preview = await fromDatabase(this.previews.of(rule, from, to, rule.revealed));
    if (preview === undefined) throw new InterfaceError(queryErrors.tooMuch);
    const { stepSeconds, alerts } = preview;
    return {
      from: isoTime(from.getTime()),
      to: isoTime(to.getTime()),
      stepSeconds,
      items: alerts.slice(0, MOST_ALERTS).map((alert) => this.shown(alert, rule.by, request)),
      more: Math.max(0, alerts.length - MOST_ALERTS),
    };
  }

  /** Sends a notice to each receiver of the rule, now and once, and says what became of it. */
  @Post(':id/test')
  @HttpCode(200)
  async test(@Param('id') id: string, @Req() request: FastifyRequest): Promise<AlertTest> {
    const rule = await this.find(id);
    return { items: await this.tests.run(rule, requestPrincipal(request).username, this.clocks.now()) };
  }

  @Get(':id')
  async one(
    @Param('id') id: string,
    @Query() { identities }: IdentitiesQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertRule> {
    return this.show(await this.find(id), request, reply, identities);
  }

  /** Replaces the whole content. */
  @Put(':id')
  async change(
    @Param('id') id: string,
    @Body() input: ChangedRuleInput,
    @Headers('if-match') ifMatch: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AlertRule> {
    const before = await this.findOwn(id);
    requireMatch(ifMatch, this.views.etag(before));
    const after = await fromDatabase(this.rules.change(before, this.checked(input, request, before)));
    if (after === undefined) throw new InterfaceError(queryErrors.preconditionFailed);
    return this.show(after, request, reply);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string, @Headers('if-match') ifMatch: string | undefined): Promise<void> {
    const rule = await this.findOwn(id);
    checkMatch(ifMatch, this.views.etag(rule));
    if (!(await fromDatabase(this.rules.delete(rule)))) throw new InterfaceError(queryErrors.preconditionFailed);
  }

  /** Throws what `GET /api/calls` would answer to the same search. `before`: the rule that is replaced. */
  private checked(input: AlertRuleInput, request: FastifyRequest, before?: StoredRule): RuleToStore {
    const sent: AlertRuleContent = ruleIn(input);
    const { revealed, ...kept } = before === undefined ? {} : this.views.kept(before, sent, isShown(request));
    if (before !== undefined && revealed === undefined && isShown(request)) this.checkAuthor(before, sent);
    const rule = { ...sent, ...kept };
    checkSites(rule, this.filters);
    checkSearch('search', rule.search, (query) =>
      revealed === undefined ? this.operatorFilters.of(query, request) : this.filters.of(query, revealed),
    );
    const { names } = this.receivers;
    if (!rule.receivers.every((name) => names.includes(name)))
      rejectParameter('receivers', `receivers must be some of those of ALERT_RECEIVERS: ${names.join(',')}`, 'choice');
    return { ...rule, revealed: revealed ?? isShown(request) };
  }

  private checkAuthor(before: StoredRule, sent: AlertRuleContent): void {
    const texts = this.views.textsOfAnother(before, sent);
    if (texts.length === 0) return;
    const which = texts.map((text) => JSON.stringify(text)).join(', ');
    rejectParameter(
      'search',
      `search has ${which} of an operator without the role reveal, who would read its token: make a rule of your own`,
    );
  }

  private async find(id: string): Promise<StoredRule> {
    // PostgreSQL does not allow this character in texts.
    const rule = id.includes('\0') ? undefined : await fromDatabase(this.rules.find(id));
    if (rule === undefined) throw new InterfaceError(queryErrors.noSuchRule);
    return rule;
  }

  /** One that operators may change. */
  private async findOwn(id: string): Promise<StoredRule> {
    const rule = await this.find(id);
    if (isFromFile(rule.id)) throw new InterfaceError(queryErrors.ruleFromFile);
    return rule;
  }

  private show(rule: StoredRule, request: FastifyRequest, reply: FastifyReply, identities?: Identities): AlertRule {
    void reply.header('etag', `"${this.views.etag(rule)}"`).header('cache-control', 'no-store');
    return this.views.of(rule, isShown(request, identities));
  }

  private shown(alert: PastAlert, by: AlertDimension | null, request: FastifyRequest): AlertPreview['items'][number] {
    const { value, measured, startsAt, endsAt } = alert;
    // Sites and subnets are our own; senders choose the texts of the others.
    const shown = (text: string): string =>
      by === null || by === 'site' || by === 'subnet' ? text : this.nameSearches.shown(request, by, text);
    return {
      scope: by === null || value === null ? {} : { [by]: shown(value) },
      ...measured,
      startsAt: isoTime(startsAt),
      endsAt: endsAt === null ? null : isoTime(endsAt),
    };
  }
}

/** Whole minutes. Throws a {@link Fault} when it is too long. */
function previewPeriod(query: AlertPreviewQuery, now: number): { readonly from: Date; readonly to: Date } {
  const period = requestedPeriod(query, Math.floor(now / 60_000) * 60_000, WEEK_MS);
  const [since, until] = [period.from.getTime(), period.to.getTime()];
  if (until - since > WEEK_MS) rejectParameter('from', 'from must be at most a week before to', 'conflict');
  if (since < WEEK_MS) rejectParameter('from', 'from must be a week after the beginning of 1970 at least');
  return period;
}
