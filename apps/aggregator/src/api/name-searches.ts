import { Fault, InterfaceError } from '@ringdown/web-server';
import { hasMark, isToken, type IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { principalOf } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { PATH_KINDS } from '../calls/path-keys.js';
import { queryErrors } from '../errors.js';
import { isShown } from './identities.js';

/** Filters whose texts come from records, and the field under which such a text is hidden. */
const HIDDEN_FILTERS = [
  'frontEnd',
  'pool',
  'medium',
  'codec',
  'connection',
  'userAgent',
  ...PATH_KINDS,
  'callId',
  'conversationId',
  'conferenceId',
  'correlationId',
] as const;

/** The text of a parameter of a search as operators without the role `reveal` see it. */
export function hiddenText(hiding: Pick<IdentityHiding, 'field'>, parameter: string, text: string): string {
  const name = parameter.replace(/^not\./, '');
  if (name === 'user') return isTokenAddress(text) ? text : hiding.field(text, 'uri');
  // Words of free text.
  if (name === 'q') return hiding.field(text, 'text');
  return HIDDEN_FILTERS.some((each) => each === name) ? hiding.field(text, name) : text;
}

/** Filters by numbers, which are shown to everyone. */
type CodeFilter = 'errorCode' | 'diagnosticsCode' | 'endCode';

type NamedField = (typeof HIDDEN_FILTERS)[number] | 'user';

/** `not.codec` reveals as much as `codec`. */
export type NamedFilters = Partial<
  Readonly<Record<NamedField | `not.${NamedField}`, string | readonly string[] | undefined>>
>;

export interface NameSearchesOptions {
  readonly hiding: IdentityHiding;
  /** Whether all operators may search by names, not just those with the role `reveal`. */
  readonly allowed: boolean;
  readonly logger: Pick<Logger, 'warn'>;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: () => number;
}

const LIMIT = 30;
const WINDOW_MS = 60_000;
/** Operators that are counted separately; the ones that began first are dropped first. */
const MAX_OPERATORS = 10_000;
/** What may be a token, with its domain or without. */
const TOKEN_ADDRESS = /^(?:sips?:)?([\da-f]{16})(?:@[^@]*)?$/i;

interface Window {
  readonly since: number;
  count: number;
}

/**
 * Decides who may search calls by which filters: an operator who does not see users could find out by a search who is
 * behind a token. Without the role `reveal`, an operator may search only for what is shown.
 */
export class NameSearches {
  private readonly windows = new Map<string, Window>();
  private readonly now: () => number;

  constructor(private readonly options: NameSearchesOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Throws an {@link InterfaceError} or a {@link Fault} when this operator may not use the filters. */
  admit(request: FastifyRequest, filters: NamedFilters): void {
    const { username } = principalOf(request);
    if (isShown(request) || this.isShown(filters)) return;
    const { allowed, hiding, logger } = this.options;
    if (!allowed) throw new InterfaceError(queryErrors.maySearchTokensOnly);
    this.count(username);
    const users = valuesOf(filters, 'user').map((user) => hiding.tokenOfAddress(user));
    const user = users.length === 0 ? undefined : users.join(' ');
    logger.warn({ operator: username, user }, 'an operator without the role reveal has searched calls by a name');
  }

  /** How a text of a statistic is shown to this operator. */
  shown(request: FastifyRequest, field: string, text: string): string {
    return isShown(request) ? text : this.options.hiding.field(text, field);
  }

  /**
   * Whether this operator sees the value of a filter in this form: those with the role `reveal` see names, all others
   * tokens.
   */
  isSeen(request: FastifyRequest, field: NamedField | CodeFilter, text: string): boolean {
    if (field === 'errorCode' || field === 'diagnosticsCode' || field === 'endCode') return true;
    if (isShown(request)) return field === 'user' ? !isTokenAddress(text) : !hasMark(text);
    return field === 'user' ? isTokenAddress(text) : this.options.hiding.field(text, field) === text;
  }

  private isShown(filters: NamedFilters): boolean {
    const { hiding } = this.options;
    const users = valuesOf(filters, 'user');
    if (users.some((user) => !isTokenAddress(user) && hiding.address(user) !== user)) return false;
    return HIDDEN_FILTERS.every((field) => {
      return valuesOf(filters, field).every((text) => hiding.field(text, field) === text);
    });
  }

  private count(operator: string): void {
    const now = this.now();
    const known = this.windows.get(operator);
    const window = known === undefined || now >= known.since + WINDOW_MS ? { since: now, count: 0 } : known;
    this.windows.delete(operator);
    this.windows.set(operator, window);
    const [oldest] = this.windows.keys();
    if (this.windows.size > MAX_OPERATORS && oldest !== undefined) this.windows.delete(oldest);
    if (++window.count <= LIMIT) return;
    const seconds = Math.max(1, Math.ceil((window.since + WINDOW_MS - now) / 1_000));
    throw new Fault('too-many-requests', { headers: { 'retry-after': String(seconds) } });
  }
}

function valuesOf(filters: NamedFilters, field: NamedField): readonly string[] {
  return [filters[field] ?? [], filters[`not.${field}`] ?? []].flat();
}

/** As an address is shown whose user is hidden. In search keys, tokens are in lower case. */
function isTokenAddress(text: string): boolean {
  const [, user = ''] = TOKEN_ADDRESS.exec(text) ?? [];
  return isToken(user.toUpperCase());
}
