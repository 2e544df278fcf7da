import type { AlertRule, AlertRuleContent, AlertSilence, SearchParameters } from '../api/answers.js';
import { queryIn } from '../api/query-text.js';
import { measureDimensions, MEASURE_NAMES, storedNumber } from './measures.js';

/** Of a new rule: one record is enough for a feed to fall silent. */
export function usualMinimum(measure: AlertRule['measure']): number {
  return measure === 'silentFeed' ? 1 : 10;
}

export type WholeContent = Required<AlertRuleContent>;

/** A rule without what the server adds. The server sends every property; the defaults are those of its documentation. */
export function ruleContent(rule: Pick<AlertRule, 'name' | 'measure' | 'limit'> & Partial<AlertRule>): WholeContent {
  const { name, measure, limit, clearLimit = limit, enabled = true, search = {}, by = null } = rule;
  const { windowSeconds = 900, minimumCalls = usualMinimum(measure), forSeconds = 0, shortSeconds = 10 } = rule;
  const { silences = [], severity = 'warning', receivers = [] } = rule;
  const times = { windowSeconds, forSeconds, shortSeconds, silences };
  return { name, enabled, measure, search, by, limit, clearLimit, minimumCalls, ...times, severity, receivers };
}

export const NEW_RULE = ruleContent({ name: '', measure: 'badCalls', limit: 0.2 });

/** The content of the form; the server checks it. */
export function contentIn(form: FormData, silences: readonly AlertSilence[]): AlertRuleContent {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const number = (name: string): number | undefined => (text(name) === '' ? undefined : Number(text(name)));
  const measure = MEASURE_NAMES.find((name) => name === text('measure')) ?? 'badCalls';
  const by = measureDimensions(measure).find((name) => name === text('by'));
  const clear = number('clearLimit');
  const [window, minimum, lasting, short] = ['window', 'minimumCalls', 'for', 'shortSeconds'].map(number);
  return {
    name: text('name'),
    enabled: form.has('enabled'),
    measure,
    search: parametersIn(text('search')),
    ...(by === undefined ? {} : { by }),
    ...(window === undefined ? {} : { windowSeconds: window * 60 }),
    ...(minimum === undefined ? {} : { minimumCalls: minimum }),
    ...(lasting === undefined ? {} : { forSeconds: lasting * 60 }),
    ...(short === undefined ? {} : { shortSeconds: short }),
    limit: storedNumber(measure, Number(text('limit'))),
    ...(clear === undefined ? {} : { clearLimit: storedNumber(measure, clear) }),
    silences,
    severity: text('severity') === 'critical' ? 'critical' : 'warning',
    receivers: form.getAll('receiver').filter((name) => typeof name === 'string'),
  };
}

/** Names of the console's address, and of its period, which a rule does not have. */
const NOT_IN_RULES: ReadonlySet<string> = new Set(['last', 'from', 'to', 'sort', 'cursor', 'asOf']);

/** The filters of a search, from its address in the console or from the part behind the question mark. */
export function parametersIn(text: string): SearchParameters {
  const query = text.includes('?') ? text.slice(text.indexOf('?') + 1) : text;
  const found = Object.entries(queryIn(query.split('#', 1)[0] ?? ''));
  return Object.fromEntries(found.filter(([name]) => !NOT_IN_RULES.has(name)));
}

const MOST_SILENCES = 20;

/** With one more silence from now on; those that are over are left out. */
export function silencedFor(
  silences: readonly AlertSilence[] = [],
  hours: number,
  now: number,
): readonly AlertSilence[] {
  const [from, to] = [now, now + hours * 3_600_000].map((at) => new Date(at).toISOString());
  if (from === undefined || to === undefined) return silences;
  const current = silences.filter((silence) => !isOver(silence, now));
  return [...current.slice(0, MOST_SILENCES - 1), { from, to }];
}

export function isOver({ days, to }: AlertSilence, now: number): boolean {
  return days === undefined && Date.parse(to) <= now;
}

/** The end of the silence with fixed times that now has the latest end; undefined without one. */
export function silencedUntil(silences: readonly AlertSilence[] = [], now: number): number | undefined {
  const ends = silences
    .filter(({ days, from }) => days === undefined && Date.parse(from) <= now)
    .map(({ to }) => Date.parse(to))
    .filter((end) => end > now);
  return ends.length === 0 ? undefined : Math.max(...ends);
}
