import { CALL_FIELD_NAMES, filterRow, presentName, type CallField } from '@ringdown/call-catalogue/fields';
import type { FilterHiding } from '@ringdown/call-catalogue/filters';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { hasMark, isToken, type IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { requestPrincipal } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../../errors.js';
import { isShown } from './identities.js';

/**
 * What the text of a parameter may be: that of a filter of the catalogue, an IP `address`, which is shown, or `words` of texts, of
 * which only those are searched that are shown.
 */
type TextKind = FilterHiding | 'address' | 'words';

/** Filters that are no fields of the catalogue. */
const OTHER_FILTERS: Readonly<Record<'state' | 'verdict' | 'q' | 'address' | 'callId' | 'site' | 'uploads', TextKind>> =
  {
    state: 'own',
    verdict: 'own',
    site: 'own',
    uploads: 'own',
    address: 'address',
    q: 'words',
    callId: 'field',
  };

/** What is asked about the calls, or how: no filters. */
const QUESTIONS = ['sort', 'by', 'metric', 'compare', 'cursor', 'identities'];

const KINDS: ReadonlyMap<string, TextKind> = new Map<string, TextKind>([
  ...CALL_FIELD_NAMES.map((field) => [field, filterRow(field).hiding] as const),
  ...Object.entries(OTHER_FILTERS),
  ...QUESTIONS.map((name) => [name, 'own'] as const),
]);

/** Filters by numbers and times, and how many calls are wanted: checked to be such, they name nobody. */
const NUMBERS = /^(?:(?:min|max)[A-Z]|invited|(?:from|to|last|limit|bucketSeconds)$)/;

/** `not.codec` reveals as much as `codec`. */
function parameterField(parameter: string): string {
  return presentName(parameter.replace(/^not\./, ''));
}

/** The text of a parameter of a search as operators without the role `reveal` see it. */
export function hiddenText(hiding: Pick<IdentityHiding, 'field'>, parameter: string, text: string): string {
  const field = parameterField(parameter);
  switch (KINDS.get(field)) {
    case 'own':
    case 'address':
      return text;
    case 'user':
      return isTokenAddress(text) ? text : hiding.field(text, 'uri');
    case 'field':
      return hiding.field(text, field);
    // Words of free text.
    default:
      return NUMBERS.test(field) ? text : hiding.field(text, 'text');
  }
}

/** Parameters of a request: texts are filters that are known, or refused. */
export type NamedFilters = object;

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
    const { username } = requestPrincipal(request);
    const { allowed, hiding, logger } = this.options;
    if (isShown(request) || searchesShownTexts(hiding, filters)) return;
    if (!allowed || !textsIn(filters).every(([name]) => isClassified(name)))
      throw new InterfaceError(queryErrors.maySearchTokensOnly);
    this.count(username);
    const users = textsIn(filters)
      .filter(([name]) => parameterField(name) === 'user')
      .map(([, text]) => hiding.tokenOfAddress(text));
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
  isSeen(request: FastifyRequest, field: CallField, text: string): boolean {
    if (filterRow(field).hiding === 'own') return true;
    if (isShown(request)) return field === 'user' ? !isTokenAddress(text) : !hasMark(text);
    return field === 'user' ? isTokenAddress(text) : this.options.hiding.field(text, field) === text;
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

/** Whether it is decided what the texts of this parameter may tell. */
export function isClassified(parameter: string): boolean {
  return KINDS.has(parameterField(parameter));
}

/** Whether the parameter has a number or a time, which needs no decision. */
export function isNumeric(parameter: string): boolean {
  return NUMBERS.test(parameterField(parameter));
}

/** Whether a search finds nothing that its results do not show to operators without the role `reveal`. */
export function searchesShownTexts(hiding: Pick<IdentityHiding, 'field' | 'address'>, filters: NamedFilters): boolean {
  return textsIn(filters).every(([name, text]) => isTextShown(hiding, parameterField(name), text));
}

function isTextShown(hiding: Pick<IdentityHiding, 'field' | 'address'>, field: string, text: string): boolean {
  switch (KINDS.get(field)) {
    case 'own':
    case 'address':
    // In texts as they are shown: a search for a name finds nothing.
    case 'words':
      return true;
    case 'user':
      return isTokenAddress(text) || hiding.address(text) === text;
    case 'field':
      return hiding.field(text, field) === text;
    // Nobody has decided whether it names somebody.
    default:
      return false;
  }
}

/** Each parameter with its texts, one by one; numbers and times are no texts. */
function textsIn(filters: NamedFilters): readonly (readonly [name: string, text: string])[] {
  return Object.entries(filters).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().flatMap((text) => (typeof text === 'string' ? [[name, text] as const] : [])),
  );
}

/** As an address is shown whose user is hidden. In search keys, tokens are in lower case. */
function isTokenAddress(text: string): boolean {
  const [, user = ''] = TOKEN_ADDRESS.exec(text) ?? [];
  return isToken(user.toUpperCase());
}
