import { filterRow, type CallField } from '@ringdown/call-catalogue/fields';
import { RateLimit } from '@ringdown/concurrency';
import { Fault, InterfaceError } from '@ringdown/web-server/errors';
import { hasMark, type IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { requestPrincipal } from '@ringdown/token-validation';
import type { FastifyRequest } from 'fastify';
import { queryErrors } from '../../errors.js';
import {
  parameterField,
  isClassified,
  isOfUser,
  isTokenAddress,
  searchesShownTexts,
  textsIn,
  type NamedFilters,
} from '../../search/names/hidden-texts.js';
import { isShown } from '../../search/names/identities.js';

export interface NameSearchesOptions {
  readonly hiding: IdentityHiding;
  /** Whether all operators may search by names, not just those with the role `reveal`. */
  readonly allowed: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Of one operator. */
const SEARCHES_PER_MINUTE = 30;

/**
 * Decides who may search calls by which filters: an operator who does not see users could find out by a search who is
 * behind a token. Without the role `reveal`, an operator may search only for what is shown.
 */
export class NameSearches {
  private readonly searches = new RateLimit({ limit: SEARCHES_PER_MINUTE });

  constructor(private readonly options: NameSearchesOptions) {}

  /** Throws an {@link InterfaceError} or a {@link Fault} when this operator may not use the filters. */
  admit(request: FastifyRequest, filters: NamedFilters): void {
    const { username } = requestPrincipal(request);
    const { allowed, hiding, logger } = this.options;
    if (isShown(request) || searchesShownTexts(hiding, filters)) return;
    if (!allowed || !textsIn(filters).every(([name]) => isClassified(name)))
      throw new InterfaceError(queryErrors.maySearchTokensOnly);
    this.count(username);
    const users = textsIn(filters)
      .filter(([name]) => isOfUser(parameterField(name)))
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
    if (isShown(request)) return isOfUser(field) ? !isTokenAddress(text) : !hasMark(text);
    return isOfUser(field) ? isTokenAddress(text) : this.options.hiding.field(text, field) === text;
  }

  private count(operator: string): void {
    const waitSeconds = this.searches.add(operator);
    if (waitSeconds !== undefined)
      throw new Fault('too-many-requests', { headers: { 'retry-after': String(waitSeconds) } });
  }
}
