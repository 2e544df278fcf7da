import { InterfaceError } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';

/** A search as it was asked for (web-interface.md, section 5); at least one of `query` and `mail` is there. */
export interface SearchRequest {
  readonly query?: string;
  /** A whole address: what revision 2 of the resource adds. */
  readonly mail?: string;
  /** How many people are wanted at most, 1 to 100. */
  readonly limit: number;
  /** Whether the client chose the limit; the link to itself then shows it. */
  readonly limitGiven: boolean;
  /** The revision that the client shows to know, where it is not the first (web-interface.md, section 12). */
  readonly revision?: '2';
}

type Parameters = ReadonlyMap<string, readonly string[]>;
interface Problem {
  readonly name: string;
  readonly reason: string;
}

const MAX_TEXT = 256;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/**
 * Reads `?query=&mail=&limit=`. `minVersion` is the header in which a client asks for a revision; whoever sends `mail`
 * needs none. Throws {@link InterfaceError} with the wrong parameters.
 */
export function readSearchRequest(parameters: Parameters, minVersion?: string | string[]): SearchRequest {
  const problems: Problem[] = [];
  const query = readText('query', parameters, problems);
  const mail = readText('mail', parameters, problems);
  if (query === undefined && mail === undefined && problems.length === 0) {
    problems.push({ name: 'query', reason: 'query is missing' });
  }
  const limits = parameters.get('limit') ?? [];
  const limit = limits[0] === undefined ? DEFAULT_LIMIT : wholeNumber(limits[0]);
  if (limits.length > 1) problems.push({ name: 'limit', reason: 'limit is given more than once' });
  else if (!(limit >= 1 && limit <= MAX_LIMIT)) {
    problems.push({ name: 'limit', reason: `limit must be a whole number from 1 to ${MAX_LIMIT}` });
  }
  if (problems.length > 0) {
    const message = problems.map(({ reason }) => reason).join('; ');
    throw new InterfaceError(reasons.parameterValidationFailure, { message, parameters: problems });
  }
  return {
    ...(query === undefined ? {} : { query }),
    ...(mail === undefined ? {} : { mail }),
    limit,
    limitGiven: limits.length === 1,
    ...(mail !== undefined || Number(minVersion) >= 2 ? { revision: '2' } : {}),
  };
}

/** A text without blanks around it; an empty one is as good as none. */
function readText(name: string, parameters: Parameters, problems: Problem[]): string | undefined {
  const values = parameters.get(name) ?? [];
  const text = values[0]?.trim() ?? '';
  if (values.length > 1) problems.push({ name, reason: `${name} is given more than once` });
  else if (text.length > MAX_TEXT) problems.push({ name, reason: `${name} has more than ${MAX_TEXT} characters` });
  return text === '' ? undefined : text;
}

function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
