import { Fault, rejectParameter } from '@ringdown/web-server/errors';
import { InputPipe, ReadAs, ReadText, SetByServer } from '@ringdown/web-server/input';
import { IsDefined } from 'class-validator';
import type { SearchParameters } from './saved-searches.js';
import { SortedCallsQuery } from '../query/call-list-query.js';

/** At most 100 characters. */
const NAME = /^.{1,100}$/su;
/** As long as the head of a request with these parameters may be. */
const MAX_PARAMETERS = 8_192;
/** Controls, and those that change the direction of the text around a name. */
const UNSEEN = /[\p{Control}\u202A-\u202E\u2066-\u2069]/u;

/** The body of a request that saves a search. */
export class SavedSearchInput {
  @IsDefined({ message: 'name is missing' })
  @ReadText('a text of 1 to 100 characters without control characters', nameIn, 'text')
  name!: string;

  @ReadAs('true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  shared = false;

  @IsDefined({ message: 'parameters is missing' })
  @ReadAs('an object with parameters of GET /api/calls, each a text or a list of texts', parametersIn)
  parameters!: SearchParameters;
}

/** The body of a request that replaces a search: may be what was read. */
@SetByServer('id', 'own', 'owner', 'etag', 'createdAt', 'changedAt')
export class ChangedSearchInput extends SavedSearchInput {}

/**
 * Checks the parameters in a member of a body, first by themselves. Throws a {@link Fault} that names wrong ones as
 * `member.name`.
 */
export function checkSearch(
  member: string,
  parameters: SearchParameters,
  check: (query: SortedCallsQuery) => unknown,
): void {
  if (JSON.stringify(parameters).length > MAX_PARAMETERS)
    rejectParameter(member, `${member} must have at most ${MAX_PARAMETERS} characters as JSON`);
  try {
    check(searchQuery(parameters));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { parameters: wrong = [], ...details } = error.details;
    const named = wrong.map(({ name, reason }) => ({ name: `${member}.${name}`, reason: `${member}: ${reason}` }));
    throw new Fault(error.kind, { ...details, message: `${member}: ${error.message}`, parameters: named });
  }
}

/** The parameters as the query of a list of calls. Throws a {@link Fault} for wrong ones. */
export function searchQuery(parameters: SearchParameters): SortedCallsQuery {
  const query: unknown = new InputPipe().transform(parameters, { type: 'query', metatype: SortedCallsQuery });
  if (query instanceof SortedCallsQuery) return query;
  throw new Error('the pipe returned another class than that of the parameters');
}

/** Without blanks around it; undefined when it cannot be shown. */
export function nameIn(text: string): string | undefined {
  const name = text.trim();
  return NAME.test(name) && name.isWellFormed() && !UNSEEN.test(name) ? name : undefined;
}

export function parametersIn(value: unknown): SearchParameters | undefined {
  return isParameters(value) ? value : undefined;
}

function isParameters(value: unknown): value is SearchParameters {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((each) => isText(each) || (Array.isArray(each) && each.every(isText)));
}

/** PostgreSQL can store it. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
