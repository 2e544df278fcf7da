import { InterfaceError } from '@ringdown/http-server';
import { reasons } from '@ringdown/hypermedia';

export interface SearchRequest {
  readonly query: string;
  /** How many people are wanted at most, 1 to 100. */
  readonly limit: number;
  /** Whether the client chose the limit; the link to itself then shows it. */
  readonly limitGiven: boolean;
}

const MAX_QUERY = 256;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/** Reads `?query=&limit=`. Throws {@link InterfaceError} with the wrong parameters. */
export function readSearchRequest(parameters: ReadonlyMap<string, readonly string[]>): SearchRequest {
  const problems: { name: string; reason: string }[] = [];
  const query = parameters.get('query') ?? [];
  const limit = parameters.get('limit') ?? [];
  const text = query[0]?.trim() ?? '';
  if (query.length > 1) problems.push({ name: 'query', reason: 'query is given more than once' });
  else if (text === '') problems.push({ name: 'query', reason: 'query is missing' });
  else if (text.length > MAX_QUERY) {
    problems.push({ name: 'query', reason: `query has more than ${MAX_QUERY} characters` });
  }
  const wanted = limit[0] === undefined ? DEFAULT_LIMIT : wholeNumber(limit[0]);
  if (limit.length > 1) problems.push({ name: 'limit', reason: 'limit is given more than once' });
  else if (!(wanted >= 1 && wanted <= MAX_LIMIT)) {
    problems.push({ name: 'limit', reason: `limit must be a whole number from 1 to ${MAX_LIMIT}` });
  }
  if (problems.length > 0) {
    const message = problems.map(({ reason }) => reason).join('; ');
    throw new InterfaceError(reasons.parameterValidationFailure, { message, parameters: problems });
  }
  return { query: text, limit: wanted, limitGiven: limit.length === 1 };
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
