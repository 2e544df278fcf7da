import type { LagSeconds } from './statistics.js';
import type { AtLeastOne, NextCursor, Text, Time } from './values.js';

/**
 * Parameters of `GET /api/calls` without `limit`, `cursor` and `identities`: each a text, or a list of texts for a parameter that is repeated; at most 8,192 characters as JSON
 * @examples [{"codec":["PCMU","PCMA"],"not.state":"failed","sort":"longest"}]
 */
export type SearchParameters = Readonly<Record<string, string | readonly string[]>>;

export interface SavedSearch {
  /** @format uuid */
  readonly id: string;
  readonly name: Text;
  readonly shared: boolean;
  readonly parameters: SearchParameters;
  /** User name of the operator who saved it, or a token of it that calls do not have */
  readonly owner: string;
  /** Whether the reader is the owner */
  readonly own: boolean;
  /** For `If-Match` */
  readonly etag: string;
  readonly createdAt: Time;
  readonly changedAt: Time;
}

export interface SearchPage {
  readonly items: readonly SavedSearch[];
  readonly next: NextCursor;
}

export interface Suggestions {
  readonly lagSeconds?: LagSeconds;
  readonly items: readonly Suggestion[];
}

export interface Suggestion {
  /** Of the requested ones: the values of each follow each other */
  readonly field: string;
  /** The value of the filter */
  readonly text: string;
  /** How many of the newest calls have it; null for sites */
  readonly calls: AtLeastOne | null;
}
