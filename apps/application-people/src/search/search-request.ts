import { ReadText, WholeNumber } from '@ringdown/web-server/input';
import { ValidateBy } from 'class-validator';

const MAX_TEXT = 256;
const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 25;

/** A text without surrounding blanks; an empty one counts as missing. */
const SearchText = (): PropertyDecorator =>
  ReadText(`a text of ${MAX_TEXT} characters at most`, (text) => {
    const trimmed = text.trim();
    return trimmed.length <= MAX_TEXT ? trimmed : undefined;
  });

/** `?query=&mail=&limit=`: at least one of the texts is needed (web-interface.md, section 5). */
export class SearchQuery {
  @ValidateBy({
    name: 'isSomethingGiven',
    validator: {
      validate: (query, details) =>
        query !== '' || (details?.object instanceof SearchQuery && details.object.mail !== ''),
      defaultMessage: () => 'query is missing',
    },
  })
  @SearchText()
  readonly query: string = '';

  /** A whole address, which revision 2 of the resource adds. */
  @SearchText()
  readonly mail: string = '';

  @WholeNumber(1, MAX_LIMIT)
  readonly limit?: number;
}

/** A search request; at least one of `query` and `mail` is there. */
export interface SearchRequest {
  readonly query?: string;
  readonly mail?: string;
  /** The maximum number of people, 1 to 100. */
  readonly limit: number;
  /** Whether the client chose the limit; the `self` link then contains it. */
  readonly limitGiven: boolean;
  /** The revision that the client supports, where it is not the first (web-interface.md, section 12). */
  readonly revision?: '2';
}

/** `minVersion` is the header in which a client requests a revision; a request with `mail` does not need it. */
export function searchRequest({ query, mail, limit }: SearchQuery, minVersion?: string | string[]): SearchRequest {
  return {
    ...(query === '' ? {} : { query }),
    ...(mail === '' ? {} : { mail }),
    limit: limit ?? DEFAULT_LIMIT,
    limitGiven: limit !== undefined,
    ...(mail !== '' || Number(minVersion) >= 2 ? { revision: '2' } : {}),
  };
}
