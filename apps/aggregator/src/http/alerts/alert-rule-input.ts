import { rejectParameter } from '@ringdown/web-server/errors';
import { InputPipe, ReadAs, ReadText, Renamed, SetByServer } from '@ringdown/web-server/input';
import { IsDefined, IsIn } from 'class-validator';
import { Moment, OneOf } from '../../search/filter/query-fields.js';
import { nameIn, parametersIn } from '../../search/saved/saved-search-input.js';
import type { SearchParameters } from '../../search/saved/saved-searches.js';
import type { AlertSeverity } from '../../alerts/delivery/alert-notice.js';
import type { AlertRuleContent } from '../../alerts/rules/alert-rule.js';
import { presentName } from '@ringdown/call-catalogue/fields';
import { ALERT_DIMENSIONS, type AlertDimension } from '@ringdown/call-catalogue/filters';
import { ALERT_MEASURES, isOfFeeds, type AlertMeasure } from '../../alerts/deciding/measures.js';
import { silencesIn } from './silence-input.js';

const SEVERITIES: readonly AlertSeverity[] = ['warning', 'critical'];
const DAY_SECONDS = 86_400;
const MOST_RECEIVERS = 10;
const MOST_SILENCES = 20;
const MOST_CALLS = 1_000_000;
const MINIMUM_CALLS = 10;
/** A feed that has sent one record may fall silent, too. */
const MINIMUM_RECORDS = 1;
const FEED_PARAMETERS = ['frontEnd', 'not.frontEnd'];

/** A whole number of JSON. */
const Whole = (least: number, most: number): PropertyDecorator => {
  const read = (value: unknown): number | undefined =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  return ReadAs(`a whole number from ${least} to ${most}`, read, 'number');
};

const Finite = (): PropertyDecorator =>
  ReadAs('a number', (value) => (typeof value === 'number' ? value : undefined), 'number');

/** In seconds. */
const WholeMinutes = (): PropertyDecorator => {
  const read = (value: unknown): number | undefined =>
    typeof value === 'number' && value % 60 === 0 && value >= 60 && value <= DAY_SECONDS ? value : undefined;
  return ReadAs(`a whole number of minutes from 60 to ${DAY_SECONDS} seconds`, read, 'number');
};

/** The body of a request that writes a rule. */
export class AlertRuleInput {
  @IsDefined({ message: 'name is missing' })
  @ReadText('a text of 1 to 100 characters without control characters', nameIn, 'text')
  name!: string;

  @ReadAs('true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  enabled = true;

  @IsIn(Object.keys(ALERT_MEASURES), {
    message: `measure must be one of ${Object.keys(ALERT_MEASURES).join(',')}`,
  })
  @ReadText('a text', (text) => text)
  measure!: AlertMeasure;

  @ReadAs('an object with parameters of GET /api/calls, each a text or a list of texts', parametersIn)
  search: SearchParameters = {};

  @Renamed(presentName)
  @OneOf(ALERT_DIMENSIONS)
  by?: AlertDimension | null;

  @WholeMinutes()
  windowSeconds = 900;

  @Whole(1, MOST_CALLS)
  minimumCalls?: number;

  @Whole(0, DAY_SECONDS)
  forSeconds = 0;

  @IsDefined({ message: 'limit is missing' })
  @Finite()
  limit!: number;

  @Finite()
  clearLimit?: number;

  @Whole(1, DAY_SECONDS)
  shortSeconds = 10;

  /** {@link ruleIn} reads them. */
  @ReadAs(`a list of at most ${MOST_SILENCES} silences`, (value) =>
    Array.isArray(value) && value.length <= MOST_SILENCES ? value : undefined,
  )
  silences: readonly unknown[] = [];

  @OneOf(SEVERITIES)
  severity: AlertSeverity = 'warning';

  @ReadAs(`a list of at most ${MOST_RECEIVERS} names, each once`, namesIn)
  receivers: readonly string[] = [];
}

/** The body of a request that replaces a rule: may be what was read. */
@SetByServer('id', 'source', 'etag', 'createdAt', 'changedAt')
export class ChangedRuleInput extends AlertRuleInput {}

/** Parameters of a preview. */
export class AlertPreviewQuery {
  @Moment()
  from?: Date;

  @Moment()
  to?: Date;
}

/** Checks what no property shows by itself. Throws a {@link Fault} that names what is wrong. */
export function ruleIn(input: AlertRuleInput): AlertRuleContent {
  const { measure, limit, clearLimit = limit, by = null } = input;
  const { least, most, comparison } = ALERT_MEASURES[measure];
  if (!(limit >= least && limit <= most))
    rejectParameter('limit', `limit of ${measure} must be from ${least} to ${most}`, 'number');
  const isClear = comparison === 'above' ? clearLimit <= limit : clearLimit >= limit;
  if (!isClear || !(clearLimit >= least && clearLimit <= most)) {
    const [first, last] = comparison === 'above' ? [least, limit] : [limit, most];
    rejectParameter('clearLimit', `clearLimit must be from ${first} to ${last}`, 'number');
  }
  const { name, enabled, search, windowSeconds, forSeconds, shortSeconds } = input;
  const { minimumCalls = measure === 'silentFeed' ? MINIMUM_RECORDS : MINIMUM_CALLS } = input;
  const { severity, receivers } = input;
  const silences = silencesIn(input.silences);
  const times = { windowSeconds, forSeconds, shortSeconds, silences };
  const rule = {
    name,
    enabled,
    measure,
    search,
    by,
    ...times,
    minimumCalls,
    limit,
    clearLimit,
    severity,
    receivers,
  };
  return isOfFeeds(measure) ? ofFeeds(rule) : checkOfCalls(rule);
}

/** Throws a {@link Fault} when no call could have a value. */
export function checkSites({ by }: Pick<AlertRuleContent, 'by'>, { hasSites }: { readonly hasSites: boolean }): void {
  if (by === 'site' && !hasSites) rejectParameter('by', 'by may be site only with SITES_FILE', 'choice');
}

/** As {@link ruleIn}, for JSON from elsewhere. */
export function ruleOfJson(json: object): AlertRuleContent {
  const body = Buffer.from(JSON.stringify(json));
  const input: unknown = new InputPipe().transform(body, {
    type: 'body',
    metatype: AlertRuleInput,
  });
  if (input instanceof AlertRuleInput) return ruleIn(input);
  throw new Error('the pipe returned another class than that of the rule');
}

function namesIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_RECEIVERS) return undefined;
  const names: readonly unknown[] = value;
  const texts = names.filter((name) => typeof name === 'string');
  return new Set(texts).size === names.length ? texts : undefined;
}

/** Each feed has its own last record; problems are counted together too, and rejected records by their reason. */
function ofFeeds(rule: AlertRuleContent): AlertRuleContent {
  const { measure, by } = rule;
  const dimensions = measure === 'rejectedRecords' ? ['frontEnd', 'reason'] : ['frontEnd'];
  if (by !== null && !dimensions.includes(by))
    rejectParameter('by', `by must be ${dimensions.join(', ')} or left out for ${measure}`, 'choice');
  const other = Object.keys(rule.search).find((name) => !FEED_PARAMETERS.includes(name));
  if (other !== undefined)
    rejectParameter(`search.${other}`, `search of ${measure} may only have frontEnd and not.frontEnd`);
  return measure === 'silentFeed' ? { ...rule, by: 'frontEnd' } : rule;
}

/** The window is the time of the calls. */
function checkOfCalls(rule: AlertRuleContent): AlertRuleContent {
  if (rule.by === 'reason') rejectParameter('by', 'by may be reason for rejectedRecords only', 'choice');
  const time = ['from', 'to', 'last'].find((name) => rule.search[name] !== undefined);
  if (time !== undefined) rejectParameter(`search.${time}`, `search must not have ${time}: windowSeconds is the time`);
  return rule;
}
